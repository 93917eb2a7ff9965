// SPDX-License-Identifier: GPL-2.0-only
/* as_user UID GID COMMAND...: run a command as this user, of this group alone. */
#include <err.h>
#include <grp.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 4)
		errx(2, "UID GID COMMAND...");
	if (setgroups(0, NULL) || setgid(atoi(argv[2])) || setuid(atoi(argv[1])))
		err(2, "setuid");
	execvp(argv[3], argv + 3);
	err(127, "%s", argv[3]);
}
