# SPDX-License-Identifier: GPL-2.0-only
"""Differences that are meant, for definitions.py.

Each rule of DIFFERENCES is the first cell of a row of docs/differences.md, or a
heading of it, and what tells that a case is about it: all of the case, or only
the parts it returns. A case that differs where no rule tells is a failure.

A case c has: text, its definitions; kernel and kptrace, what either said (errno,
reason, caret, list, format, trace); differs, in which of these they differ.
"""

import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

NO_BTF = "BTF is not available or not supported"
NO_ENTRY = "$arg* can be used only on function entry or exit"
NO_SYMBOL = "Invalid probed address or symbol"
NO_PARAMETER = "This variable is not found at this probe point"
NO_PARAMETERS = "No BTF entry for this probe point"
NO_VARIABLE = "Invalid $-variable specified"
NOT_MEMORY = "String accepts only memory argument"
NOT_REGISTERED = "Failed to register probe event"
TEXT = r"\$arg\d+[^\d\s:)]"


def documented(heading):
    """Return the reasons in the table of docs/definitions.md there."""
    doc = (TOP / "docs/definitions.md").read_text()
    table = doc.partition(f"### {heading}")[2].partition("###")[0]
    return set(re.findall(r"^\| ([^|-].*?) \|", table, re.M)) - {"text"}


# Those that the newest kernels have, and the others.
MAINLINE = documented("Reasons of the kernel's own probe events")
KPTRACE_ONLY = documented("Reasons of kptrace alone")


def reasons(kernel, kptrace, text=""):
    """Tell cases by the reasons that are given; None is any."""
    return lambda c: (c.kernel["reason"] != c.kptrace["reason"] and
                      kernel in (None, c.kernel["reason"]) and
                      kptrace in (None, c.kptrace["reason"]) and
                      re.search(text, c.text))


def caret(text, reason=""):
    """Tell cases where nothing but the caret differs."""
    return lambda c: (c.differs == {"caret"} and re.search(text, c.text) and
                      c.kptrace["reason"].startswith(reason))


def trace(text):
    """Tell cases where nothing but the records differ."""
    return lambda c: c.differs == {"trace"} and re.search(text, c.text)


def numbered(c):
    """Tell return probes that the kernel lists with a number of its own."""
    same = ("list" in c.differs and
            [re.sub(r"^r\d+:", "r:", line) for line in c.kernel["list"]] ==
            [re.sub(r"^r\d+:", "r:", line) for line in c.kptrace["list"]] and
            all(re.match(r"r\d+:|p:", line) for line in c.kernel["list"]))
    return {"list"} if same else False


def entry(c):
    """Tell records of f that differ in the place alone, which is the entry here."""
    same = ("trace" in c.differs and c.text.startswith("f") and
            [re.sub(r"\+0x[0-9a-f]+/", "+0x0/", line, count=1)
             for line in c.kernel["trace"]] == c.kptrace["trace"])
    return {"trace"} if same else False


def remarked(remark):
    """Tell definitions that are listed with this remark."""
    def tell(c):
        same = ("list" in c.differs and
                [re.sub(remark, r"\1", line) for line in c.kptrace["list"]] ==
                c.kernel["list"])
        return {"list"} if same else False
    return tell


def names(c):
    """Tell what a kernel without arguments by name says of them."""
    return ("reason" in c.differs and re.search(r"->|\$arg\*|[= (][a-z_]\w*", c.text) or
            re.search(r"\$retval|\$arg\d", c.text))


def why_not(c):
    """Tell places where kptrace has a reason of its own."""
    return (c.kernel["reason"] == NOT_REGISTERED and
            c.kptrace["reason"] in KPTRACE_ONLY and
            "errno" not in c.differs)


def newer_type(text):
    """Tell types that the kernel does not know."""
    return lambda c: (c.kernel["reason"] == "Unknown type is specified" and
                      re.search(f":({text})", c.text))


NO_DEFINITION = ("Place is missing behind a blank", "Programs cannot be probed",
                 "Delete line names no event", "No such event",
                 "Line begins with none of p, r and -:",
                 "Only dynamic_events takes such a line")

# The more special come first.
DIFFERENCES = [
    ("`p :SYM`, `p MOD:`", reasons("", NO_SYMBOL, r"^[pr]\S* (:|\S+:( |$))")),
    ("a mistake in a name and an unknown symbol in one line", reasons(NO_SYMBOL, None, "")),
    ("`r` without a number, as it is listed", numbered),
    ("the place of an `f` event in a record", entry),
    ("`f PATTERN` and modules that are loaded later",
     remarked(r"^(f.*) # \d+ functions,.*")),
    ("a probe that waits for its module", remarked("^(.*) # waits for (a module|module .*)$")),
    ("an unknown function of `f` and another mistake in one line",
     lambda c: c.kernel["reason"] and c.kptrace["reason"] == NO_SYMBOL and c.text[0] == "f"),
    ("a line that is no definition",
     lambda c: c.kptrace["reason"] in NO_DEFINITION and "errno" not in c.differs),
    ("names at a tracepoint of a module that is not loaded",
     reasons(NO_PARAMETERS, None, r"^t\S* (?!(sched_(switch|wakeup|process_exec)|sys_enter|kfree|"
                                  r"mm_page_alloc|kpt_target_pair) )")),
    ("`$elapsed`", reasons(None, None, r"\$elapsed")),
    ("`$tgid`, `$uid`, `$cgroup`; in filters and histograms `common_tgid`, `common_uid`, "
     "`common_cgroup`", reasons(None, None, r"\$(tgid|uid|cgroup)\b")),
    ("`$retvalX` (any text behind `$retval`)", reasons(None, NO_VARIABLE, r"\$retval[^ :)]")),
    ("`+0(%x0)u32`, text behind the last brace", reasons(None, "Dereference has wrong suffix")),
    ("casts inside of functions",
     lambda c: c.kernel["reason"] == NO_BTF and
     re.search(r"\+4 .*\((\(|[\w\"]*(,[\w.\"]*)?\))", c.text)),
    ("parameters without a name", reasons("No argument expression", None, r"\$arg\*")),
    ("`$arg*` of a variadic function", reasons("No argument expression", None, r"_printk.*\$arg")),
    ("`$arg*` of a variadic function", reasons(None, NO_PARAMETER, r"_printk.*\$arg2")),
    ("`$arg*:TYPE`, any text behind `$arg*`",
     reasons(None, "$arg* must be an independent parameter without name etc.", r"\$arg\*\S")),
    ("`NAME.FIELD` of a structure by value",
     reasons("Non pointer structure/union argument is not supported.", None, r"from_kuid")),
    ("`()`", reasons(None, None, r"\(\)")),
    ("`(STRUCT)$comm->FIELD`, of a text",
     reasons(None, "$comm can not be dereferenced", r"\)\(?\$comm")),
    ("`string[N]` of a `char *`", reasons("", "This type does not fit for string.", r"string\[")),
    ("`string[N]` of an array of pointers to text",
     reasons("This type does not fit for string.", "", r"string\[")),
    ("`count:string`, an integer as a string",
     reasons(None, "This type does not fit for string.", r"string")),
    ("structures, unions and arrays of fewer than 8 bytes",
     lambda c: "format" in c.differs and "reason" not in c.differs and
     re.search(r"from_kuid", c.text)),
    ("a mistake behind `$arg*`", caret(r"\$arg\*")),
    ("a mistake in the type of `$argN`", caret(r" \$arg\d+:")),
    ("`$argN` with text behind it", lambda c: c.differs == {"errno"} and re.search(TEXT, c.text)),
    ("`$argN` of a module that is not loaded", reasons(NO_ENTRY, None, r"^p\S* \S+:.*\$arg\d")),
    ("`$argN` of a module that is not loaded", reasons(NO_VARIABLE, "", r"^p\S* \S+:.*\$arg\d")),
    ("names of a module that is not loaded",
     lambda c: c.kernel["reason"] in (NO_BTF, NO_PARAMETERS) and
     re.search(r"^[pr]\S* (?!kpt_target:)[^\s:]+:", c.text)),
    ("`@SYM+OFFS` with an offset that is no number",
     reasons(None, "Invalid memory address", "@[-A-Za-z_]")),
    ("a name at a function without parameters",
     reasons(NO_PARAMETER, NO_PARAMETERS, r"\$retval|\$arg\d")),
    ("a place that cannot be probed", why_not),
    ("`@SYM` with a symbol that is not unique", reasons(None, "The symbol is not unique", "@")),
    ("`@SYM` unknown, on kernels that list no data symbols",
     reasons(None, "Symbol not found; this kernel lists no data symbols")),
    ("`$argN:symstr`, `NAME:symstr` in a return probe",
     reasons("Symbol String doesn't accept data/userdata", "",
             r"^(r|f\S* \S+%return).*[ =]\$?\w+:symstr")),
    ("`bWIDTH@OFFSET/SIZE` with numbers that need more than 64 bits",
     reasons(None, "Invalid bitfield", r":b.*\d{19}")),
    ("a bit field on an argument that needs all 15 steps (`this_cpu_read` 7 deep)",
     reasons("Invalid bitfield", "Dereference is too much nested")),
    ("`enum`, `enum(NAME)`", newer_type("enum")),
    ("`be16` to `be64`, `ipv4`, `ipv6`, `mac`, `errno`, `signal`, `cap`, `uid`, `syscall`",
     newer_type(r"be\d+|ipv[46]|mac|errno|signal|cap|uid|syscall")),
    ("`\\NUMBER:string[N]`", reasons(None, NOT_MEMORY, r"\\[-\w]+:u?string\[")),
    ("an unknown `@SYM`", reasons(None, NO_SYMBOL, "@")),
    ("an unknown `@SYM`", caret("@", NO_SYMBOL)),
    ("`$arg*` without BTF, with a `$argN` behind it", caret(r"\$arg\*.*\$arg")),
    ("`Event too big` behind a dereference", caret(r"\(", "Event too big")),
    ("in and behind `ARG:%pd`, `ARG:%pD`", caret(r":%p[dD]")),
    ("behind `+uOFFS(`", caret(r"[+-]u")),
    ("a wrong type behind a dereference (`+0(@11):b10@a/16`)", caret(r"(\(.*|->\S*):")),
    ("`$arg9` and above at the entry", trace(r"^p.*\$arg(9|\d\d)")),
    ("`symstr` with another string behind it", trace(r":symstr.*(string|comm|symstr|\\\")")),
    ("a string whose address cannot be read, with another string behind it",
     trace(r"_bad .*string.*(string|comm|text)")),
    ("a number that cannot be read", trace("_bad ")),
]

# What older kernels do not have: what tells a case, and what such a kernel's
# README of tracefs or its image lacks.
NEWER = [
    (lambda c: c.text.startswith("t"), "t[:[<group>/][<event>]] <tracepoint>"),
    (lambda c: c.text.startswith("f"), "f[:[<group>/][<event>]]"),
    (names, "<argname>"),
    (lambda c: re.search(r"\(\w*(,[\w.]*)?\)|[= ]\(\w", c.text), "[(structname"),
    (lambda c: re.search(r":char\b", c.text), "x8/16/32/64, char,"),
    (lambda c: re.search(r":symstr\b", c.text), "symstr"),
    (lambda c: re.search(r":%p[dD]", c.text), "%pd/%pD"),
    (lambda c: re.search(r"this_cpu_(ptr|read)", c.text), "this_cpu_read("),
    (lambda c: "$current" in c.text, "$current"),
    (lambda c: re.search(r"^r.*\$arg", c.text), "Too many entry arguments specified"),
    # symbols that are looked for before the arguments are looked at
    (lambda c: c.kptrace["reason"] == NO_SYMBOL and "reason" in c.differs,
     "Too many nested typecasts/dereferences"),
    # shorter arguments, and other errnos of the same reasons
    (lambda c: c.kernel["reason"] == "Argument expression is too long",
     "Too many nested typecasts/dereferences"),
    # which of two mistakes in one $argN is told
    (lambda c: c.kernel["reason"] == NO_VARIABLE and
     c.kptrace["reason"] == "Invalid argument number",
     "Too many nested typecasts/dereferences"),
    # a caret far behind the line
    (lambda c: c.differs == {"caret"} and re.search(r"[= ]\w+->\S*:u?string", c.text),
     "Too many nested typecasts/dereferences"),
    (lambda c: c.differs == {"errno"}, "Too many nested typecasts/dereferences"),
]


def unknown_rows():
    """Return the rules that docs/differences.md knows nothing of."""
    doc = (TOP / "docs/differences.md").read_text()
    known = set(re.findall(r"^\| *(.+?) \|", doc, re.M))
    known |= set(re.findall(r"^#+ (.*)", doc, re.M))
    return [row for row, _ in DIFFERENCES if row not in known]
