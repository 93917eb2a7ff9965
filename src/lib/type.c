// SPDX-License-Identifier: GPL-2.0-only
/* The value types of the definition language. */
#include <kptrace/port.h>
#include "lib/record.h"

#define NUMBER(sign, bits, shown, conversion, is_signed)                       \
	{ sign #bits, shown #bits, conversion, bits / 8, is_signed, false }
#define TEXT(name)                                                             \
	{ name, "__data_loc char[]", "\\\"%s\\\"", 4, true, true }

const struct kpt_type_info kpt_type_info[KPT_NR_TYPES] = {
	[KPT_TYPE_U8] = NUMBER("u", 8, "u", "%u", false),
	[KPT_TYPE_U16] = NUMBER("u", 16, "u", "%u", false),
	[KPT_TYPE_U32] = NUMBER("u", 32, "u", "%u", false),
	[KPT_TYPE_U64] = NUMBER("u", 64, "u", "%Lu", false),
	[KPT_TYPE_S8] = NUMBER("s", 8, "s", "%d", true),
	[KPT_TYPE_S16] = NUMBER("s", 16, "s", "%d", true),
	[KPT_TYPE_S32] = NUMBER("s", 32, "s", "%d", true),
	[KPT_TYPE_S64] = NUMBER("s", 64, "s", "%Ld", true),
	[KPT_TYPE_X8] = NUMBER("x", 8, "u", "0x%x", false),
	[KPT_TYPE_X16] = NUMBER("x", 16, "u", "0x%x", false),
	[KPT_TYPE_X32] = NUMBER("x", 32, "u", "0x%x", false),
	[KPT_TYPE_X64] = NUMBER("x", 64, "u", "0x%Lx", false),
	[KPT_TYPE_CHAR] = { "char", "u8", "'%c'", 1, false, false },
	[KPT_TYPE_SYMBOL] = { "symbol", "u64", "%pS", 8, false, false },
	[KPT_TYPE_STRING] = TEXT("string"),
	[KPT_TYPE_USTRING] = TEXT("ustring"),
	[KPT_TYPE_SYMSTR] = TEXT("symstr"),
};
