/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reasons why a command was refused: a code, and the column of the mistake.
 * There is no global state: a parser is given a struct kpt_diag.
 */
#ifndef KPTRACE_DIAG_H
#define KPTRACE_DIAG_H

#include "lib/base/port.h"
#include "lib/base/strbuf.h"

/*
 * The reasons of mainline's probe events (Linux 7.3), word for word, because
 * users and scripts know them; without those of user-space and tracepoint
 * probes. docs/definitions.md has an example of each.
 */
#define KPT_DIAG_MAINLINE(X)                                                   \
	X(ARGIDX_2BIG, "$argN index is too big")                               \
	X(ARGS_2LONG, "$arg* failed because the argument list is too long")    \
	X(ARG_NAME_TOO_LONG, "Argument name is too long")                      \
	X(ARG_TOO_LONG, "Argument expression is too long")                     \
	X(ARRAY_NO_CLOSE, "Array is not closed")                               \
	X(ARRAY_TOO_BIG, "Array number is too big")                            \
	X(BAD_ADDR_SUFFIX, "Invalid probed address suffix")                    \
	X(BAD_ARG_NAME,                                                        \
	  "Argument name must follow the same rules as C identifiers")         \
	X(BAD_ARG_NUM, "Invalid argument number")                              \
	X(BAD_ARRAY_NUM, "Invalid array size")                                 \
	X(BAD_ARRAY_SUFFIX, "Array has wrong suffix")                          \
	X(BAD_ATTACH_EVENT, "Attached event does not exist")                   \
	X(BAD_BITFIELD, "Invalid bitfield")                                    \
	X(BAD_BTF_TID, "Failed to get BTF type info.")                         \
	X(BAD_DEREF_OFFS, "Invalid dereference offset")                        \
	X(BAD_EVENT_NAME,                                                      \
	  "Event name must follow the same rules as C identifiers")            \
	X(BAD_FETCH_ARG, "Invalid fetch argument")                             \
	X(BAD_GROUP_NAME,                                                      \
	  "Group name must follow the same rules as C identifiers")            \
	X(BAD_HYPHEN, "Failed to parse single hyphen. Forgot '>'?")            \
	X(BAD_IMM, "Invalid immediate value")                                  \
	X(BAD_INSN_BNDRY, "Probe point is not an instruction boundary")        \
	X(BAD_MAXACT, "Invalid maxactive number")                              \
	X(BAD_MAXACT_TYPE, "Maxactive is only for function exit")              \
	X(BAD_MEM_ADDR, "Invalid memory address")                              \
	X(BAD_PROBE_ADDR, "Invalid probed address or symbol")                  \
	X(BAD_REG_NAME, "Invalid register name")                               \
	X(BAD_RETPROBE, "Retprobe address must be an function entry")          \
	X(BAD_STACK_NUM, "Invalid stack number")                               \
	X(BAD_STRING, "String accepts only memory argument")                   \
	X(BAD_SYMSTRING, "Symbol String doesn't accept data/userdata")         \
	X(BAD_TP_NAME, "Invalid character in tracepoint name")                 \
	X(BAD_TYPE, "Unknown type is specified")                               \
	X(BAD_TYPE4STR, "This type does not fit for string.")                  \
	X(BAD_VAR, "Invalid $-variable specified")                             \
	X(BAD_VAR_ARGS,                                                        \
	  "$arg* must be an independent parameter without name etc.")          \
	X(COMM_CANT_DEREF, "$comm can not be dereferenced")                    \
	X(DEREF_NEED_BRACE, "Dereference needs a brace")                       \
	X(DEREF_OPEN_BRACE, "Dereference brace is not closed")                 \
	X(DIFF_ARG_TYPE,                                                       \
	  "Argument type or name is different from existing probe")            \
	X(DIFF_PROBE_TYPE, "Probe type is different from existing probe")      \
	X(DOUBLE_ARGS, "$arg* can be used only once in the parameters")        \
	X(EVENT_EXIST,                                                         \
	  "Given group/event name is already used by another event")           \
	X(EVENT_TOO_BIG, "Event too big (too many fields?)")                   \
	X(EVENT_TOO_LONG, "Event name is too long")                            \
	X(FAIL_REG_PROBE, "Failed to register probe event")                    \
	X(FILE_ON_KPROBE, "File offset is not available for kernel probes")    \
	X(GROUP_TOO_LONG, "Group name is too long")                            \
	X(IMMSTR_NO_CLOSE, "String is not closed with '\"'")                   \
	X(MAXACT_TOO_BIG, "Maxactive is too big")                              \
	X(NEED_STRING_TYPE,                                                    \
	  "$comm and immediate-string only accepts string type")               \
	X(NOFENTRY_ARGS, "$arg* can be used only on function entry or exit")   \
	X(NON_UNIQ_SYMBOL, "The symbol is not unique")                         \
	X(NOSUP_BTFARG, "BTF is not available or not supported")               \
	X(NOSUP_DAT_ARG,                                                       \
	  "Non pointer structure/union argument is not supported.")            \
	X(NOSUP_PERCPU, "Per-cpu variable access is only for kernel probes")   \
	X(NO_ARG_BODY, "No argument expression")                               \
	X(NO_ARG_NAME, "Argument name is not specified")                       \
	X(NO_BTFARG, "This variable is not found at this probe point")         \
	X(NO_BTF_ENTRY, "No BTF entry for this probe point")                   \
	X(NO_BTF_FIELD, "This field is not found.")                            \
	X(NO_EP_FILTER, "No filter rule after 'if'")                           \
	X(NO_EVENT_FIELD, "This event field is not found.")                    \
	X(NO_EVENT_INFO,                                                       \
	  "This requires both group and event name to attach")                 \
	X(NO_EVENT_NAME, "Event name is not specified")                        \
	X(NO_GROUP_NAME, "Group name is not specified")                        \
	X(NO_PTR_STRCT, "This is not a pointer to union/structure.")           \
	X(NO_RETVAL, "This function returns 'void' type")                      \
	X(RETVAL_ON_PROBE, "$retval is not available on probe")                \
	X(SAME_PROBE, "There is already the exact same probe event")           \
	X(TOO_MANY_ARGS, "Too many arguments are specified")                   \
	X(TOO_MANY_EARGS, "Too many entry arguments specified")                \
	X(TOO_MANY_NESTED, "Too many nested typecasts/dereferences")           \
	X(TOO_MANY_OPS, "Dereference is too much nested")                      \
	X(TYPECAST_BAD_ARROW,                                                  \
	  "Typecast field option does not support -> operator")                \
	X(TYPECAST_NOT_ALIGNED,                                                \
	  "Typecast field option is not byte-aligned")                         \
	X(TYPECAST_REQ_FIELD, "Typecast requires a field access")              \
	X(TYPECAST_SYM_OFFSET,                                                 \
	  "@SYM+/-OFFSET with typecast needs parentheses")                     \
	X(USED_ARG_NAME, "This argument name is already used")

/* Reasons that mainline does not have. Add new ones at the end. */
#define KPT_DIAG_OWN(X)                                                        \
	X(NO_DYNEVENT, "No matching dynamic event type")                       \
	X(DEREF_SUFFIX, "Dereference has wrong suffix")                        \
	X(ELAPSED_ON_PROBE, "$elapsed is not available on probe")              \
	X(NO_DATA_SYMBOLS,                                                     \
	  "Symbol not found; this kernel lists no data symbols")               \
	X(NOT_ALIGNED, "Address is not aligned to an instruction")             \
	X(NOT_TEXT, "Address is not in kernel or module text")                 \
	X(INIT_TEXT, "Address is in init text that has been freed")            \
	X(BAD_SECTION, "Address is in a section that may not be probed")       \
	X(OWN_TEXT, "Address is in kptrace itself")                            \
	X(KPROBE_BLACKLIST, "Address is on the kernel's kprobe blacklist")     \
	X(OWN_BLACKLIST, "Function is needed to handle a probe")               \
	X(EXTABLE, "Address has an exception table entry")                     \
	X(BUG_SITE, "Address is a BUG or WARN")                                \
	X(FTRACE_SITE, "Address is an ftrace location")                        \
	X(FTRACE_PREFIX, "Address is in data of ftrace before a function")     \
	X(CFI_HASH, "Address holds the kCFI type of the next function")        \
	X(JUMP_LABEL, "Address is a jump label")                               \
	X(STATIC_CALL, "Address is a static call")                             \
	X(FOREIGN_BRK, "Address holds a breakpoint that is not ours")          \
	X(TEXT_CHANGED, "Instruction has been changed by somebody else")       \
	X(TEXT_STUCK, "Text could not be changed")                             \
	X(OTHER_MODE,                                                          \
	  "Another probe there has a stub; a breakpoint without one is needed") \
	X(NO_MODULE, "The module of the place is not loaded")                  \
	X(BAD_HANDLERS, "Handlers do not fit together")                        \
	X(BAD_INSN, "Instruction cannot be probed")                            \
	X(BAD_PLACE, "Place cannot be probed")                                 \
	X(NO_SLOT, "No executable memory for the displaced instruction")       \
	X(NO_STACK_WALK, "This kernel cannot walk its stacks")                 \
	X(OTHER_WAY_OUT,                                                       \
	  "Function may be left by other instructions than returns")           \
	X(GOING_TEXT, "Address is in a module that is being unloaded")         \
	X(RETURNS_TWICE,                                                       \
	  "Return address is used twice and cannot be replaced")               \
	X(NO_RETURN_ADDRESS,                                                   \
	  "Function is not called and has no return address to replace")       \
	X(LIVEPATCH,                                                           \
	  "Return address cannot be replaced, the kernel has livepatch")       \
	X(NO_VECTORS, "Function runs without the kernel's exception vectors")  \
	X(REDIRECTED, "Function is redirected while static events or data are traced") \
	X(TOO_MANY_EVENTS, "All event numbers are in use")                     \
	X(EVENT_IN_USE, "Event is in use")                                     \
	X(BRIDGE_TAKEN, "The kernel's tracing has an event of that name")      \
	X(BRIDGE_REFUSED, "The kernel's tracing does not take the event")      \
	X(BRIDGE_STATIC, "Event is one of the kernel's tracing")               \
	X(NO_MEMORY, "No memory")                                              \
	X(BTF_FUNCS, "BTF has several functions of that name")                 \
	X(BTF_STRUCTS, "BTF has several structures of that name")              \
	X(BTF_INCOMPLETE, "BTF has only the name of this structure")           \
	X(NO_WORD, "Argument is not in a general register or a stack word")    \
	X(BAD_INDEX, "Index is no number, or is beyond the array")             \
	X(NO_ARRAY, "Only arrays and pointers have an index")                  \
	X(NO_ENUM, "Type is no enumeration with names")                        \
	X(NO_SUCH_ENUM, "BTF has no enumeration of that name, and none with that value") \
	X(NEED_MEMORY, "Type takes what is in memory, not a value")            \
	X(TYPE_PENDING, "Needs a type until the module is loaded")             \
	X(BTF_REFUSED, "BTF is refused")         \
	X(NO_TRACEPOINTS, "This kernel has no tracepoints")                    \
	X(TRACEPOINT_TYPE,                                                     \
	  "This kernel does not tell the type of functions for the tracepoint") \
	X(NO_SUCH_EVENT, "No such event")                                      \
	X(BOOT_CONFIG, "Boot configuration is refused")                        \
	X(BOOT_KEY, "Key of the boot configuration is not done")               \
	X(NO_TRACER, "No such tracer")                                         \
	X(OTHER_WORKLOAD, "An instance has the other one of osnoise and timerlat") \
	X(NO_INTERFERENCE, "The kernel has no tracepoints of interrupts and threads") \
	X(FUNCTION_COMMAND, "Only functions, and functions of modules")        \
	X(FUNCTION_NUMBER, "No such line of available_filter_functions")       \
	X(NO_AFTER, "Nothing can run after this instruction")                  \
	X(OTHER_SLOT,                                                          \
	  "Another probe there has a slot without a breakpoint at its end")    \
	X(COMING_TEXT, "Address is in a module that is being loaded")          \
	X(FTRACE_ENTRY, "Address is in ftrace's own code")                     \
	X(BAD_VALUE, "Value has to be")                                        \
	X(NO_PLACE, "Place is missing behind a blank")                         \
	X(BAD_LINE, "Line begins with none of p, r and -:")                    \
	X(LEFT_OUT, "A part is left out")                                      \
	X(OTHER_FILE, "Only dynamic_events takes such a line")                 \
	X(USER_PLACE, "Programs cannot be probed")                             \
	X(BAD_DELETE, "Delete line names no event")

/* The reasons of mainline's event filters (Linux 7.3), word for word. */
#define KPT_DIAG_FILTER(X)                                                     \
	X(FILT_INVALID_OP, "Invalid operator")                                 \
	X(FILT_TOO_MANY_OPEN, "Too many '('")                                  \
	X(FILT_TOO_MANY_CLOSE, "Too few '('")                                  \
	X(FILT_MISSING_QUOTE, "Missing matching quote")                        \
	X(FILT_MISSING_BRACE_OPEN, "Missing '{'")                              \
	X(FILT_MISSING_BRACE_CLOSE, "Missing '}'")                             \
	X(FILT_OPERAND_TOO_LONG, "Operand too long")                           \
	X(FILT_EXPECT_STRING, "Expecting string field")                        \
	X(FILT_EXPECT_DIGIT, "Expecting numeric field")                        \
	X(FILT_ILLEGAL_FIELD_OP, "Illegal operation for field type")           \
	X(FILT_FIELD_NOT_FOUND, "Field not found")                             \
	X(FILT_ILLEGAL_INTVAL, "Illegal integer value")                        \
	X(FILT_BAD_SUBSYS_FILTER,                                              \
	  "Couldn't find or set field in one of a subsystem's events")         \
	X(FILT_TOO_MANY_PREDS, "Too many terms in predicate expression")       \
	X(FILT_INVALID_FILTER, "Meaningless filter expression")                \
	X(FILT_INVALID_CPULIST, "Invalid cpulist")                             \
	X(FILT_INVALID_VALUE, "Invalid value (did you forget quotes)?")        \
	X(FILT_NO_FUNCTION, "Function not found")                              \
	X(FILT_ERRNO, "Error")                                                 \
	X(FILT_NO_FILTER, "No filter found")

/*
 * The reasons of mainline's hist triggers (Linux 7.3), word for word; from
 * HIST_NO_NUMBER on they are ours, where mainline says nothing, or for what is
 * not supported here.
 */
#define KPT_DIAG_HIST(X)                                                       \
	X(HIST_NAMED_MISMATCH,                                                 \
	  "Named hist trigger doesn't match existing named trigger (includes variables)") \
	X(HIST_TRIGGER_EEXIST, "Hist trigger already exists")                  \
	X(HIST_TRIGGER_ENOENT_CLEAR,                                           \
	  "Can't clear or continue a nonexistent hist trigger")                \
	X(HIST_SET_CLOCK_FAIL, "Couldn't set trace_clock")                     \
	X(HIST_BAD_FIELD_MODIFIER, "Invalid field modifier")                   \
	X(HIST_VAR_NOT_FOUND, "Couldn't find variable")                        \
	X(HIST_FIELD_NOT_FOUND, "Couldn't find field")                         \
	X(HIST_TOO_MANY_SUBEXPR, "Too many subexpressions (3 max)")            \
	X(HIST_TIMESTAMP_MISMATCH,                                             \
	  "Timestamp units in expression don't match")                         \
	X(HIST_STR_OPERAND,                                                    \
	  "String type can not be an operand in expression")                   \
	X(HIST_EXPECT_NUMBER, "Expecting numeric literal")                     \
	X(HIST_UNARY_MINUS_SUBEXPR,                                            \
	  "Unary minus not supported in sub-expressions")                      \
	X(HIST_DIVISION_BY_ZERO, "Division by zero")                           \
	X(HIST_NO_CLOSING_PAREN, "No closing paren found")                     \
	X(HIST_EMPTY_ASSIGNMENT, "Empty assignment")                           \
	X(HIST_INVALID_SORT_MODIFIER, "Invalid sort modifier")                 \
	X(HIST_EMPTY_SORT_FIELD, "Empty sort field")                           \
	X(HIST_TOO_MANY_SORT_FIELDS, "Too many sort fields (Max = 2)")         \
	X(HIST_INVALID_SORT_FIELD, "Sort field must be a key or a val")        \
	X(HIST_NEED_NOHC_VAL,                                                  \
	  "Non-hitcount value is required for 'nohitcount'")                   \
	X(HIST_DUPLICATE_VAR, "Variable already defined")                      \
	X(HIST_VAR_NOT_UNIQUE,                                                 \
	  "Variable name not unique, need to use fully qualified name "        \
	  "(subsys.event.var) for variable")                                   \
	X(HIST_TOO_MANY_VARS, "Too many variables defined")                    \
	X(HIST_MALFORMED_ASSIGNMENT, "Malformed assignment")                   \
	X(HIST_EVENT_FILE_NOT_FOUND, "Event file not found")                   \
	X(HIST_HIST_NOT_FOUND, "Matching event histogram not found")           \
	X(HIST_HIST_CREATE_FAIL, "Couldn't create histogram for field")        \
	X(HIST_SYNTH_EVENT_NOT_FOUND, "Couldn't find synthetic event")         \
	X(HIST_SYNTH_TYPE_MISMATCH,                                            \
	  "Param type doesn't match synthetic event field type")               \
	X(HIST_SYNTH_COUNT_MISMATCH,                                           \
	  "Param count doesn't match synthetic event field count")             \
	X(HIST_ONX_NOT_VAR,                                                    \
	  "For onmax(x) or onchange(x), x must be a variable")                 \
	X(HIST_ONX_VAR_NOT_FOUND, "Couldn't find onmax or onchange variable")  \
	X(HIST_TOO_MANY_PARAMS, "Too many action params")                      \
	X(HIST_PARAM_NOT_FOUND, "Couldn't find param")                         \
	X(HIST_INVALID_PARAM, "Invalid action param")                          \
	X(HIST_ACTION_NOT_FOUND, "No action found")                            \
	X(HIST_NO_SAVE_PARAMS, "No params found for save()")                   \
	X(HIST_TOO_MANY_SAVE_ACTIONS,                                          \
	  "Can't have more than one save() action per hist")                   \
	X(HIST_ACTION_MISMATCH, "Handler doesn't support action")              \
	X(HIST_SUBSYS_NOT_FOUND, "Missing subsystem")                          \
	X(HIST_INVALID_SUBSYS_EVENT, "Invalid subsystem or event name")        \
	X(HIST_VAR_IN_KEY, "Using variable references in keys not supported")  \
	X(HIST_NO_NUMBER, "Field is not a number")                             \
	X(HIST_TOO_MANY_REFS,                                                  \
	  "Too many variables of other histograms (Max = 8)")                  \
	X(HIST_KEYS_DIFFER,                                                    \
	  "The histogram of the variable has more keys, or of other kinds")    \
	X(HIST_TOO_MANY_ACTIONS, "Too many actions (Max = 8)")                 \
	X(HIST_ACTIONS_TOO_LONG, "Actions are longer than 1023 characters")    \
	X(HIST_SYNTH_CYCLE, "The synthetic event would cause itself")          \
	X(HIST_IN_USE, "Variables of the trigger are in use")                  \
	X(HIST_NO_KEYS, "keys= is missing")                                    \
	X(HIST_TOO_MANY_KEYS, "Too many keys (Max = 3)")                       \
	X(HIST_TOO_MANY_VALS, "Too many values (Max = 2)")                     \
	X(HIST_KEY_TOO_LONG, "Keys are longer than 512 bytes")                 \
	X(HIST_BAD_SIZE, "Size is not a number from 65 to 131072")             \
	X(HIST_NAME_TOO_LONG, "Name is longer than 63 characters")             \
	X(HIST_UNKNOWN_WORD, "Unknown parameter")                              \
	X(HIST_EXPR_TOO_LONG, "Expression is longer than 127 characters")      \
	X(HIST_MINUS_NO_PAREN, "Unary minus needs parentheses: -(...)")

/*
 * The reasons of mainline's synthetic events (Linux 7.3), word for word; the last
 * one is ours.
 */
#define KPT_DIAG_SYNTH(X)                                                      \
	X(SYNTH_BAD_NAME, "Illegal name")                                      \
	X(SYNTH_BAD_FORM,                                                      \
	  "Command must be of the form: <name> field[;field] ...")             \
	X(SYNTH_BAD_DYN_FORM,                                                  \
	  "Command must be of the form: s or -:[synthetic/]<name> field[;field] ...") \
	X(SYNTH_EVENT_EXISTS, "Event already exists")                          \
	X(SYNTH_TOO_MANY_FIELDS, "Too many fields")                            \
	X(SYNTH_INCOMPLETE_TYPE, "Incomplete type")                            \
	X(SYNTH_INVALID_TYPE, "Invalid type")                                  \
	X(SYNTH_INVALID_FIELD, "Invalid field")                                \
	X(SYNTH_INVALID_ARRAY, "Invalid array specification")                  \
	X(SYNTH_LONG_NAME, "Name of a field is longer than 32 characters")

/* Our reasons for refusing user events: mainline has none. */
#define KPT_DIAG_USER(X)                                                       \
	X(USER_FLAGS, "No flags are known")                                    \
	X(USER_NO_NAME, "Field is not a type and a name")                      \
	X(USER_BAD_NAME,                                                       \
	  "Field name must follow the same rules as C identifiers")            \
	X(USER_TYPE, "Type is unknown, or char[N] is not from 1 to 1024")      \
	X(USER_STRUCT_SIZE, "struct needs a size behind the name")             \
	X(USER_EXTRA, "Only a struct has a size behind the name")              \
	X(USER_TOO_BIG, "Fields are larger than 4064 bytes")                   \
	X(USER_FIELDS_DIFFER, "The event exists with other fields")            \
	X(USER_TOO_MANY, "There are 32768 user events")                        \
	X(USER_CAPABLE, "Events that stay need CAP_PERFMON")

/* Our reasons for refusing triggers: mainline has none. */
#define KPT_DIAG_TRIGGER(X)                                                    \
	X(TRIGGER_UNKNOWN, "No such trigger")                                  \
	X(TRIGGER_BAD_COUNT, "Count is not a number, or too large")            \
	X(TRIGGER_NO_IF, "Only 'if' and a filter can follow here")             \
	X(TRIGGER_NO_FILTER, "No filter behind 'if'")                          \
	X(TRIGGER_NO_TARGET, "GROUP:EVENT is missing")                         \
	X(TRIGGER_BAD_TARGET, "This instance has no such event")               \
	X(TRIGGER_EXISTS, "The event already has a trigger of this kind")      \
	X(SNAPSHOT_FIXED,                                                      \
	  "Records stay in place: programs map them, or they survive a reboot") \
	X(FUNCTION_NO_COMMAND, "Functions have no such command")               \
	X(FUNCTION_NOT_ALONE, "A command has to be written alone")             \
	X(FUNCTION_EXISTS, "The functions already have this command")          \
	X(FUNCTION_HAS_NONE, "None of these functions has this command")

/* Our reasons for refusing limits. */
#define KPT_DIAG_LIMIT(X)                                                      \
	X(LIMIT_BAD_NUMBER, "Limit is not a number of hits")                   \
	X(LIMIT_BAD_UNIT, "Unit of a rate is not s, m or h")                   \
	X(LIMIT_TOO_FAST, "Rate is above a million hits a second")             \
	X(LIMIT_BAD_BURST, "Burst is not a number from 1 to 1000000")          \
	X(LIMIT_OF_PRINT, "Texts of trace_marker have no limit")               \
	X(LIMIT_REST, "Nothing can follow here but 'burst' and a number")

/* Our reasons for refusing objtrace triggers. */
#define KPT_DIAG_OBJTRACE(X)                                                   \
	X(OBJTRACE_NO_ACTION, "'add:FIELD' or 'remove:FIELD' must follow")     \
	X(OBJTRACE_NO_FIELD, "FIELD is missing")                               \
	X(OBJTRACE_BAD_FIELD, "The event has no such field of 8 bytes")        \
	X(OBJTRACE_BAD_OFFSET, "Offset is not a number, or too large")         \
	X(OBJTRACE_BAD_SIZE, "Size is not a number from 1 to 1048576")         \
	X(OBJTRACE_BAD_WHERE, "Not patterns of functions")                     \
	X(OBJTRACE_NO_FUNCTION, "No function that can be probed matches")      \
	X(OBJTRACE_NAME_TAKEN, "Event objtrace:object is of another kind")     \
	X(OBJTRACE_REST, "Nothing of that kind can follow here")

/* Our reasons for refusing probes on data. */
#define KPT_DIAG_WATCH(X)                                                      \
	X(WATCH_FORM,                                                          \
	  "Place is not [r|w|rw]@ADDRESS, SYMBOL, percpu(..), (STRUCT)..->MEMBER or -1") \
	X(WATCH_ACCESS, "Access is not r, w or rw")                            \
	X(WATCH_LENGTH, "Length is not a number from 1 to 8, or a power of two up to 2 GiB") \
	X(WATCH_OBJECTS, "Number of objects is not 1 to 16, or triggers do not set them") \
	X(WATCH_CHANGES, "Reads change nothing")                               \
	X(WATCH_EDGE,                                                          \
	  "Bytes are not all in one aligned word of 8, or an aligned block of their length") \
	X(WATCH_TEXT, "Address is in text")                                    \
	X(WATCH_NO_RAM, "Address is not in memory that the kernel has mapped") \
	X(WATCH_FULL, "All watchpoint registers are in use")                   \
	X(WATCH_NONE, "Data cannot be watched by this kernel")                 \
	X(WATCH_NO_EVENT, "EVENT or GROUP/EVENT is missing")                   \
	X(WATCH_BAD_EVENT, "This instance has no such event on objects, @-1")  \
	X(WATCH_NO_FIELD, "FIELD of the event is missing")                     \
	X(WATCH_BAD_FIELD, "FIELD is not an address in the event's records")   \
	X(WATCH_ADJUST, "+ADJUST or -ADJUST is not a number")                  \
	X(WATCH_CAST, "(STRUCT)PLACE->MEMBER is incomplete")                   \
	X(WATCH_NO_TYPES, "The kernel has no BTF")                             \
	X(WATCH_MEMBER, "BTF has no such structure, or that no such member")

/* Our reasons for refusing probes on time. */
#define KPT_DIAG_SAMPLE(X)                                                     \
	X(SAMPLE_RATE, "Rate is not a number from 1 to 10000, of hits a second on each CPU") \
	X(SAMPLE_NONE, "This kernel does not tell modules what an interrupt has interrupted")

#define KPT_DIAG_ENUM(code, text) KPT_E_##code,
/* KPT_E_NONE: no entry in error_log, as in mainline. */
enum kpt_diag_code {
	KPT_E_NONE,
	KPT_DIAG_MAINLINE(KPT_DIAG_ENUM)
	KPT_DIAG_OWN(KPT_DIAG_ENUM)
	KPT_DIAG_FILTER(KPT_DIAG_ENUM)
	KPT_DIAG_HIST(KPT_DIAG_ENUM)
	KPT_DIAG_SYNTH(KPT_DIAG_ENUM)
	KPT_DIAG_USER(KPT_DIAG_ENUM)
	KPT_DIAG_TRIGGER(KPT_DIAG_ENUM)
	KPT_DIAG_LIMIT(KPT_DIAG_ENUM)
	KPT_DIAG_OBJTRACE(KPT_DIAG_ENUM)
	KPT_DIAG_WATCH(KPT_DIAG_ENUM)
	KPT_DIAG_SAMPLE(KPT_DIAG_ENUM)
	KPT_NR_DIAG,
};
#undef KPT_DIAG_ENUM

/* Bytes of kpt_diag.detail, the NUL included. */
#define KPT_DIAG_DETAIL_MAX 96

/**
 * struct kpt_diag - why a command was refused
 * @code: the reason, KPT_E_NONE if there is nothing to log
 * @column: index of the character that is wrong in the command; the length of
 *	the command + 1 if something is missing at its end
 * @line: number of the line in a write of several lines, shown if it is not 1
 * @detail: what the reason is about (a mnemonic, an owner, a list), shown after
 *	its text; or empty
 */
struct kpt_diag {
	enum kpt_diag_code code;
	unsigned int column;
	unsigned int line;
	char detail[KPT_DIAG_DETAIL_MAX];
};

/**
 * kpt_diag_set() - set a reason and return an errno
 * @diag: result; its detail becomes empty
 * @code: the reason
 * @column: column of the mistake in the command
 * @err: the errno to return
 *
 * For use as `return kpt_diag_set(...)`.
 *
 * Context: any.
 * Return: @err.
 */
static inline int kpt_diag_set(struct kpt_diag *diag, enum kpt_diag_code code,
			       unsigned int column, int err)
{
	diag->code = code;
	diag->column = column;
	diag->line = 0;
	diag->detail[0] = '\0';
	return err;
}

void kpt_diag_detail(struct kpt_diag *diag, const char *detail);
const char *kpt_diag_text(enum kpt_diag_code code);
const char *kpt_diag_between(const struct kpt_diag *diag);
void kpt_diag_print(struct kpt_strbuf *sb, u64 ns, const char *loc,
		    const char *command, const struct kpt_diag *diag);

#endif
