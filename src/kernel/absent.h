/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of a part in a kptrace without it, see src/absent.c. */
#ifndef KPTRACE_ABSENT_H
#define KPTRACE_ABSENT_H

#define NOT_BUILT(part)	"this kptrace was built without " part

/* Returns @value. */
#define ABSENT(type, name, parameters, value)		\
	type __weak name parameters			\
	{						\
		return value;				\
	}

/* Does what else is given, most often nothing. */
#define ABSENT_VOID(name, parameters, ...)		\
	void __weak name parameters			\
	{						\
		__VA_ARGS__;				\
	}

#endif
