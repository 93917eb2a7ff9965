# SPDX-License-Identifier: GPL-2.0-only
"""Definitions, for compare.py: those of tests/cases, some by hand, random ones.

A case has one definition, or some with ";;" in between, which are written one
after the other. What is called while its events are enabled is the same in every
call. Of the first seed many cases are made, of others some.
"""

import ast
import pathlib
import random
import re
import subprocess

import definitions_rules as rules

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
INTEGERS = [sign + size for sign in "usx" for size in ("8", "16", "32", "64")]
REGISTERS = [f"x{n}" for n in range(31)] + ["lr", "sp", "pc", "pstate"]
NEW = re.compile(r":char|%p[dD]|symstr|\$current|this_cpu")
PLACES = ["kpt_target_six", "kpt_target_none", "vfs_unlink",
          "kpt_target:kpt_target_two"]

# Functions of tests/kmod, the command that calls them, and arguments that tell
# the same of every call: what is in "values" may have any type of a value, what
# is in "texts" is the address of one, what is in "memory" that of an object.
KNOWN = [
    ("p", "kpt_target_none", "call none", dict(values=["%sp"])),
    ("p", "kpt_target_two", "call two 3", dict(
        values=["$arg1", "$arg2", "%x0", "%x1", "%sp", "%x29", "%lr", "%pc",
                "$stack", "$current", "%pstate"])),
    ("p", "kpt_target_six", "call six 2", dict(
        values=[f"$arg{n}" for n in range(1, 7)] + ["%x5"])),
    ("p", "kpt_target_ten", "call ten", dict(
        values=[f"$arg{n}" for n in range(1, 11)] + ["$stack0", "$stack1"])),
    ("p", "kpt_target_ints", "call ints", dict(
        values=[f"$arg{n}" for n in range(1, 9)])),
    ("p", "kpt_target_object", "call object", dict(
        memory=["$arg1", "%x0", "+112(%x0)", "+0x70($arg1)"],
        texts=["+56(%x0)", "+72($arg1)", "+56(+112(%x0))", "+80(+112(%x0))"])),
    ("p", "kpt_target_string", "call string 2", dict(texts=["$arg1", "%x0"])),
    ("p", "kpt_target_strings", "call strings", dict(
        texts=["+0($arg1)", "+8($arg1)", "+16(%x0)", "+24(%x0)"],
        lists=["$arg1", "%x0"])),
    ("p", "kpt_target_user", "call user", dict(
        user=["$arg1", "%x0"], values=["$arg2"])),
    ("p", "kpt_target_bad", "call bad", dict(faults=["$arg1", "$arg2", "$arg3"])),
    ("p", "vfs_unlink", "unlink", dict(dentry=["$arg3", "%x2"])),
    ("p", "vfs_fsync_range", "unlink", dict(file=["$arg1", "%x0"])),
    ("r", "kpt_target_two", "call two 3", dict(values=["$retval", "%x0"])),
    ("r", "kpt_target_ten", "call ten", dict(
        values=["$retval", "$arg1", "$arg8"])),
    ("r", "kpt_target_string", "call string", dict(texts=["$retval", "%x0"])),
    ("r", "kpt_target_object", "call object", dict(
        values=["$retval"], memory=["$arg1"], texts=["+72($arg1)"])),
    ("r", "kpt_target_recurse", "call recurse 1 3", dict(values=["$retval"])),
    ("r", "vfs_unlink", "unlink", dict(values=["$retval"])),
] + [("r", f"kpt_target_ret_{t}", f"call ret_{t}", dict(values=["$retval"]))
     for t in ("u8", "s8", "s16", "s32", "s64")] + [
    ("f", "kpt_target_two", "call two 3", dict(values=["$arg1", "$arg2", "$current"])),
    ("f", "kpt_target_tw*", "call two 3", dict(values=["$arg1", "$arg2"])),
    ("f", "kpt_target_s[i]x", "call six 2", dict(values=[f"$arg{n}" for n in range(1, 7)])),
    ("f", "kpt_target_objec?", "call object", dict(
        memory=["$arg1", "+0x70($arg1)"], texts=["+56($arg1)", "+80(+112($arg1))"])),
    ("f", "vfs_unlin*", "unlink", dict(dentry=["$arg3"])),
    ("f", "kpt_target_tw*%return", "call two 3", dict(values=["$retval", "$arg1"])),
    ("f", "kpt_target_ret_s*%return", "call ret_s16", dict(values=["$retval"])),
]

# Functions of the kernel with the names of their parameters, by what those are.
NAMED = {
    "vfs_read": dict(file=["file"], other=["buf", "count", "pos"]),
    "vfs_write": dict(file=["file"], other=["buf", "count", "pos"]),
    "vfs_fsync_range": dict(file=["file"], other=["start", "end", "datasync"]),
    "vfs_unlink": dict(dentry=["dentry"], inode=["dir"]),
    "dput": dict(dentry=["dentry"]),
    "iput": dict(inode=["inode"]),
    "wake_up_process": dict(task_struct=["p"]),
    "get_task_mm": dict(task_struct=["task"]),
    "filp_close": dict(file=["filp"], other=["id"]),
    "kfree": dict(other=["object"]),
    "schedule": {},
    "schedule_timeout": dict(other=["timeout"]),
    "_printk": dict(other=["fmt"]),
}
# Tracepoints of the kernel, likewise.
TRACED = {
    "sched_switch": dict(task_struct=["prev", "next"], other=["preempt", "prev_state"]),
    "sched_wakeup": dict(task_struct=["p"]),
    "sched_process_exec": dict(task_struct=["p"], other=["old_pid", "bprm"]),
    "sys_enter": dict(other=["regs", "id"]),
    "kfree": dict(other=["call_site", "ptr"]),
    "mm_page_alloc": dict(other=["page", "order", "gfp_flags", "migratetype"]),
    "kpt_target_pair": dict(other=["a", "b"]),
}
# Patterns of functions; some match nothing.
PATTERNS = ["vfs_*link", "kpt_target_t*", "kpt_target_t??", "[v]fs_read", "vfs_rea?",
            "*_openat2", "no_such_*", "no_such_function", "vfs_read*x"]
# Members, with the structure that they point to.
MEMBERS = {
    "file": {"f_mode": "", "f_flags": "", "f_path": "", "f_path.dentry": "dentry",
             "f_inode": "inode", "f_op": "", "f_pos": "", "f_cred": ""},
    "dentry": {"d_name.name": "", "d_name.len": "", "d_parent": "dentry",
               "d_inode": "inode", "d_sb": "super_block", "d_flags": "",
               "d_name": "", "d_op": ""},
    "inode": {"i_ino": "", "i_mode": "", "i_sb": "super_block", "i_size": "",
              "i_nlink": "", "i_mapping": "", "i_blkbits": ""},
    "super_block": {"s_id": "", "s_root": "dentry", "s_flags": "",
                    "s_maxbytes": "", "s_type": "", "s_blocksize_bits": ""},
    "task_struct": {"pid": "", "tgid": "", "comm": "", "prio": "",
                    "real_parent": "task_struct", "group_leader": "task_struct",
                    "in_execve": "", "flags": "", "mm": "", "se.on_rq": "",
                    "sched_contributes_to_load": "", "policy": "",
                    "tasks.next": ""},
}

# By hand: lines about names, places, deletes, and events of several probes.
WRITTEN = """
p:g1/e1 PLACE
p:g1.e1 PLACE
p:g1/ PLACE
p::e1 PLACE
p:e1 PLACE a=%x0 b=%x1:u8
p:e1 PLACE a=%x0   b=%x1:u8  # with a comment
   p:e1 PLACE
# nothing but a comment
r:e1 PLACE
r4:e1 PLACE
r4096:e1 PLACE
p:e1 PLACE%return
p:e1 PLACE%return $retval
p:e1 PLACE+4
p:e1 PLACE+0x4 %x0
p:e1 PLACE+010
r:e1 PLACE+4
p PLACE
r PLACE
p PLACE+4
p:e1 kpt_target:PLACE
p:e1 no_such_module:PLACE
p:e1 no_such_module:no_such_function+4
p:e1 no_such_function
r:e1 no_such_function+4
p:e1 type_show
p:e1 PLACE;;p:e1 kpt_target_two
p:e1 PLACE a=%x0;;p:e1 kpt_target_two a=%x1
p:e1 PLACE a=%x0;;p:e1 PLACE a=%x0
p:e1 PLACE a=%x0;;p:e1 kpt_target_two b=%x0
p:e1 PLACE a=%x0;;p:e1 kpt_target_two a=%x0:u8
p:e1 PLACE a=%x0;;p:e1 kpt_target_two a=%x0 b=%x1
p:e1 PLACE a=%x0 b=%x1;;p:e1 kpt_target_two a=%x0
p:e1 PLACE a=+0(%x0):u8[4];;p:e1 kpt_target_two a=+0(%x0):u8[5]
p:e1 PLACE;;r:e1 PLACE
r:e1 PLACE;;p:e1 PLACE
p:e1 PLACE;;-:e1
p:e1 PLACE;;-:e2
p:g1/e1 PLACE;;p:g2/e1 PLACE;;-:e1
p:g1/e1 PLACE;;p:g2/e1 PLACE;;-:g1/e1
p:g1/e1 PLACE;;p:g1/e2 PLACE;;-:g1/
p:e1 PLACE;;p:e1 kpt_target_two;;-:e1 kpt_target_two
p:e1 PLACE a=%x0;;-:e1 PLACE a=%x0
p:e1 PLACE a=%x0;;-:e1 PLACE b=%x0
p:e1 PLACE a=%x0 b=%x1;;-:e1 PLACE a=%x0
p:e1 PLACE;;-:e1 PLACE+4
p:kptest/sched_switch PLACE
p:e1 PLACE common_pid=%x0
p:e1 PLACE __probe_ip=%x0
p:e1 PLACE $comm
p:e1 PLACE $COMM:string
p:e1 PLACE \\"text" \\1 \\-1 \\0x10:u8 \\010:s16
p:e1 PLACE @_stext @_stext+8:x32 @_stext-8:u8
p:e1 PLACE +0(@_stext):x32[4] +u0(@_stext):u8
p:e1 PLACE %x0:char %x1:b3@2/8 +0(%x0):char[8]
p:e1 PLACE %x0:symbol %x0:symstr +0(%x0):symbol
p:e1 PLACE +0(+0(+0(+0(+0(+0(+0(+0(%x0))))))))
p:e1 PLACE +0(+0(+0(+0(+0(+0(+0(+0(+0(%x0)))))))))
p:e1 PLACE this_cpu_ptr(@_stext) this_cpu_read(%x0):u32
p:e1 PLACE +0(%x0):u8[64] +0(%x0):string[8] +u0(%x0):ustring[4]
p:e1 PLACE $arg1:%pd $arg2:%pD +8($arg1):%pd
p:e1 PLACE $tgid $uid $cgroup
p:e1 PLACE $tgid:x32 $uid:u8 $cgroup:x64 u=$uid:uid
r:e1 PLACE +0($cgroup) $tgid:string
p:e1 PLACE $tgidx $ui $cgroup2
r:e1 PLACE $retval:%pd
r:e1 PLACE $retval $retval:s32 $comm
p:e1 PLACE $stack $stack0 $stack15 $stack2048
p:e1 PLACE $argx a.b=1
p:e1 vfs_read $arg*
p:e1 vfs_read $arg* $arg*
p:e1 vfs_read $arg1 $arg2:x8 $arg4
p:e1 vfs_read $arg5
p:e1 vfs_read x=$arg5
p:e1 vfs_read $arg1:%pD
p:e1 vfs_read a=$arg*
p:e1 vfs_read $arg*:x64
p:e1 vfs_read %x9 $arg* %x10
p:e1 vfs_read+4 $arg*
p:e1 vfs_read+4 file
p:e1 vfs_read+4 $current->pid
p:e1 vfs_read+4 x=(file)%x0->f_mode
r:e1 vfs_read $arg* $retval
r:e1 vfs_read file->f_mode $retval $retval:x32
r:e1 kfree $retval
r:e1 kfree object $retval:u64
r:e1 vfs_read $retval->x
r:e1 kpt_target_two $retval->x
r:e1 do_filp_open $retval->f_mode pathname->name:string
p:e1 _printk $arg*
p:e1 _printk fmt:string
p:e1 schedule $arg*
p:e1 schedule hoge
p:e1 kpt_target_two $arg* a
p:e1 kpt_target_two $arg1 $arg2
p:e1 kpt_target_two a
p:e1 vfs_read file buf count pos
p:e1 vfs_read file file
p:e1 vfs_read hoge
p:e1 vfs_read file.f_mode
p:e1 vfs_read file-f_mode
p:e1 vfs_read file->
p:e1 vfs_read file->f_path->dentry
p:e1 vfs_read file->f_path.dentry->d_name.name:string
p:e1 vfs_read pos->x count->x
p:e1 vfs_read count->x
p:e1 vfs_read pos->x
p:e1 vfs_read count:string
p:e1 vfs_read buf:string b=buf:ustring
p:e1 vfs_read buf:string[2]
p:e1 vfs_read file:symstr file->f_op:symbol
p:e1 vfs_read file:x8[4]
p:e1 vfs_read file->f_path:x8[4]
p:e1 vfs_read +0(file->f_path.dentry) +0(file):u8
p:e1 vfs_read file->f_path.dentry:%pd
p:e1 vfs_read $current->comm $current->comm:string
p:e1 vfs_read $current.x
p:e1 vfs_read $currentx
p:e1 vfs_read $current-x
p:e1 vfs_read x=(file)file->f_mode y=(file,f_path)file->f_mode
p:e1 vfs_read x=(dentry)((file)file->f_path.dentry)->d_name.name:string
p:e1 vfs_read x=(rq)this_cpu_ptr(@runqueues)->nr_running
p:e1 vfs_read x=(task_struct)file
p:e1 vfs_read x=(task_struct,in_execve)file->comm
p:e1 vfs_read x=(task_struct,foo)file->pid
p:e1 vfs_read x=(task_struct,se->group_node)file->comm
p:e1 vfs_read x=(nosuch)file->pid
p:e1 vfs_read x=(size_t)file->pid
p:e1 vfs_read x=()file->pid
p:e1 vfs_read x=(file)$comm->f_mode
p:e1 vfs_read x=(file)@_stext+8->f_mode
p:e1 vfs_read x=(file)(@_stext+8)->f_mode
p:e1 vfs_read x=(file)+8(file)->f_mode
p:e1 vfs_read x=(file)(file
p:e1 vfs_read x=(file
p:e1 from_kuid kuid targ
p:e1 from_kuid kuid.val
""".strip("\n").split("\n")


def cases_of(name):
    """Yield the lines of a file of tests/cases, without their carets."""
    text = f'#include "{TOP}/tests/cases/{name}"\n'
    out = subprocess.run(["gcc", "-E", "-P", "-x", "c", "-"], input=text,
                         capture_output=True, text=True, check=True).stdout
    for body in re.findall(r"CASE\(((?:\s*\"(?:\\.|[^\"\\])*\")+)", out):
        parts = re.findall(r"\"(?:\\.|[^\"\\])*\"", body)
        line = "".join(ast.literal_eval(part) for part in parts)
        line = line.replace("^", "", 1)
        line = re.sub(r"^([pr]) f(?=[ +])", r"\1 kpt_target_six", line)
        line = re.sub(r"\bknown\b", "_stext", line)
        yield line.replace("@twice", "@type_show")


class Generator:
    """Random arguments, all from one source of random numbers."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pick = self.random.choice
        self.below = self.random.randrange
        # Half of the definitions are of the language that kernel 6.1 has.
        self.old = False

    def choice(self, choices):
        """Return one of them; in an old definition, none that is new."""
        return self.pick([c for c in choices
                          if not self.old or not NEW.search(c)] or ["\\1"])

    def integer_type(self):
        """Return ":TYPE" of a number, or nothing."""
        if not self.below(6):
            return ""
        if not self.below(5):
            return self.bitfield()
        return ":" + self.pick(INTEGERS)

    def bitfield(self):
        """Return a bit field that fits its container."""
        size = self.pick([8, 16, 32, 64])
        width = 1 + self.below(size)
        return f":b{width}@{self.below(size - width + 1)}/{size}"

    def known(self, what):
        """Return one argument, without a name, that is the same every time."""
        kind = self.pick(sorted(what))
        at = self.choice(what[kind])
        if kind == "values":
            return at + (self.choice([":char", ":symbol", ":symstr"])
                         if not self.below(8) else self.integer_type())
        if kind == "memory":
            return self.member(at)
        if kind == "texts":
            return self.choice([f"+0({at}):string", f"+2({at}):string",
                              f"+0({at}):u8[4]", f"+1({at}):char",
                              f"+0({at}):char[3]", f"+0({at}):x16"])
        if kind == "lists":
            return self.choice([f"+0({at}):string[4]", f"+8({at}):string[2]",
                              f"+16({at}):ustring[1]", f"+0({at}):x64[4]"])
        if kind == "user":
            return self.choice([f"+0({at}):ustring", f"+u0({at}):string",
                              f"+u5({at}):string", f"+u0({at}):u8",
                              f"+u0({at}):x32"])
        if kind == "faults":
            return self.choice([f"+0({at}):string", f"+0({at})",
                              f"+u0({at}):u32", f"+0({at}):u8[2]",
                              f"+0(+8({at})):string", at])
        return self.choice([f"{at}:%pd" if kind == "dentry" else f"{at}:%pD"])

    def member(self, at):
        """Return something of a struct target_object."""
        if not self.below(4):
            return self.choice([f"+32({at}):string", f"+88({at}):u16[8]",
                              f"+56({at}):string[5]", f"+104({at}):b3@0/32",
                              f"+104({at}):b7@3/32", f"+104({at}):b22@10/32",
                              f"+32({at}):char[6]", f"+0(+56({at})):string"])
        size = self.pick([8, 16, 32, 64])
        number = self.pick("usx") + str(size)
        if not self.below(3):
            number += f"[{1 + self.below(4)}]"
        # over the unaligned places, too; all of them inside the object
        return f"+{self.below(80)}({at}):{number}"

    def fixed(self):
        """Return something that needs no place."""
        return self.choice(["$comm", '\\"a_text"', "\\-5:s8", "\\0x123456789",
                          "@_stext:x32", "+4(@_stext):x32[2]", "$comm:string",
                          "@_stext+4:u8", "\\77:char", "+0(@_stext):b4@4/8"])

    def running(self, entry):
        """Return a case on a known function."""
        kind, place, command, what = entry
        self.old = self.below(2)
        args = [self.known(what) if self.below(5) else self.fixed()
                for _ in range(1 + self.below(5))]
        if kind == "r":
            args.append("$retval" + self.integer_type())
        self.random.shuffle(args)
        words = [f"a{n}={arg}" if self.below(5) else arg
                 for n, arg in enumerate(args)]
        return command, f"{kind}:ev {place} " + " ".join(words)

    def leaf(self, is_return):
        """Return what a dereference may begin with; some are mistakes."""
        return self.choice([
            "%" + self.pick(REGISTERS), f"$stack{self.below(2100)}", "$stack",
            f"$arg{self.below(14)}", "$retval", "$current", "$tgid", "$comm",
            f"\\{self.below(1 << 70)}", f"\\-{self.below(1 << 34):#x}",
            f"@{self.below(1 << 64):#x}", f"@_stext+{self.below(99)}",
            f"@_etext-{self.below(99):#x}", "@no_such_symbol",
            "$retval" if is_return else "$arg1", '\\"text"', "%x0", "%x1"])

    def expression(self, is_return, depth):
        """Return a fetch of so many steps."""
        if not depth:
            return self.leaf(is_return)
        inner = self.expression(is_return, depth - 1)
        offset = self.pick([0, 8, 0x10, self.below(1 << 12),
                            self.below(1 << 31)])
        return self.choice([f"+{offset}({inner})", f"-{offset}({inner})",
                          f"+u{offset:#x}({inner})", f"-u{offset}({inner})",
                          f"+0({inner})", f"this_cpu_ptr({inner})",
                          f"this_cpu_read({inner})"])

    def any_type(self):
        """Return ":TYPE", which need not fit."""
        kind = self.choice(["", self.integer_type(), self.integer_type(),
                          ":string", ":ustring", ":char", ":symbol",
                          ":symstr", ":%pd", ":%pD", self.bitfield()])
        if kind and not self.below(4):
            kind += f"[{self.pick([0, 1, 2, 8, 64, 65])}]"
        return kind

    def path(self, struct, depth):
        """Return members of a structure, the last of any kind; some are wrong."""
        names = MEMBERS[struct]
        name = self.pick(sorted(names) + ["nosuch"]) if not self.below(6) else \
            self.pick(sorted(names))
        target = names.get(name)
        if depth and target:
            return f"{name}->{self.path(target, depth - 1)}"
        return name + self.pick([""] * 14 + ["->x", ".x", "-", "->", "."])

    def variable(self, params, is_return):
        """Return a parameter, or what stands for one, and its structure."""
        kind = self.pick(sorted(params) or ["other"])
        name = self.pick(params.get(kind, ["hoge"]) if self.below(12) else ["hoge"])
        if not self.below(6):
            return "$current", "task_struct"
        if is_return and not self.below(6):
            return "$retval", "file"
        return name, kind

    def typed(self, params, is_return):
        """Return an argument with names."""
        name, kind = self.variable(params, is_return)
        struct = kind if kind in MEMBERS else self.pick(sorted(MEMBERS))
        path = self.path(struct, self.below(4))
        casted = self.pick(sorted(MEMBERS))
        member = self.pick(sorted(MEMBERS[casted]))
        inner = self.path(casted, self.below(2))
        return self.pick([
            name, f"{name}->{path}", f"{name}->{path}", f"{name}->{path}",
            f"+8({name}->{path})", f"+0({name})",
            f"({casted}){name}->{inner}", f"({casted})({name})->{inner}",
            f"({casted},{member}){name}->{inner}",
            f"({casted})(({struct}){name}->{path})->{inner}",
            f"({casted})+8({name})->{inner}", f"this_cpu_read({name}->{path})",
            f"({casted}){name}", f"$arg{self.below(6)}"])

    def named(self, places=None):
        """Return a definition with names, good or bad; with places, of t."""
        self.old = False
        kind = "t" if places else self.pick("ppr")
        places = places or NAMED
        place = self.pick(sorted(places))
        words = [f"{kind}:ev", place]
        if kind != "t" and not self.below(12):
            words[1] += "+4"
        for n in range(1 + self.below(4)):
            fetch = self.typed(places[place], kind == "r")
            last = self.pick(["", "", "", ":string", ":ustring", ":x32",
                              self.any_type()])
            words.append(self.pick([f"a{n}=", ""]) + fetch + last)
        if not self.below(6):
            words.insert(2 + self.below(len(words) - 1), "$arg*")
        return " ".join(words)

    def functions(self):
        """Return a definition of f, of one function or of a pattern, good or bad."""
        self.old = False
        place = self.pick(sorted(NAMED) + 2 * PATTERNS)
        is_return = not self.below(3)
        words = ["f:ev", place + ("%return" if is_return else "")]
        for n in range(self.below(4)):
            if place in NAMED and self.below(2):
                fetch = self.typed(NAMED[place], is_return)
            else:
                fetch = self.expression(is_return, self.below(4))
            words.append(self.pick([f"a{n}=", ""]) + fetch + self.any_type())
        if not self.below(8):
            words.insert(2 + self.below(len(words) - 1), "$arg*")
        return " ".join(words)

    def define(self):
        """Return a definition without a command, good or bad."""
        self.old = self.below(2)
        kind = self.pick("pppr")
        place = self.pick(PLACES)
        if kind == "p" and not self.below(6):
            place += "+4"
        words = [f"{kind}:ev", place]
        for n in range(1 + self.below(3)):
            fetch = self.expression(kind == "r", self.below(5))
            words.append(self.choice([f"a{n}=", ""]) + fetch + self.any_type())
        return " ".join(words)

    def damaged(self, line):
        """Return the line with a character or two changed behind its place."""
        start = line.index(" ") + 1
        for _ in range(1 + self.below(2)):
            at = start + self.below(max(len(line) - start, 1))
            with_one = self.pick("+-()@$%:[]/ub0123456789xsqargt\\\"=,.&*{}|")
            line = self.pick([line[:at] + line[at + 1:],
                              line[:at] + with_one + line[at + 1:],
                              line[:at] + with_one + line[at:]])
        return line


def random_cases(seed, rounds):
    """Yield the cases that a seed makes: running ones first, then any."""
    gen = Generator(seed)
    for _ in range(rounds):
        for entry in KNOWN:
            yield gen.running(entry)
    for _ in range(30 * rounds):
        yield None, gen.define()
    for _ in range(30 * rounds):
        yield None, gen.damaged(gen.define())
    for _ in range(60 * rounds):
        yield None, gen.named()
    for _ in range(20 * rounds):
        yield None, gen.damaged(gen.named())
    for _ in range(30 * rounds):
        yield None, gen.named(TRACED)
    for _ in range(10 * rounds):
        yield None, gen.damaged(gen.named(TRACED))
    for _ in range(30 * rounds):
        yield None, gen.functions()
    for _ in range(10 * rounds):
        yield None, gen.damaged(gen.functions())


def all_cases(seeds):
    """Yield what is called, if anything, and the definitions."""
    for name in ("def_errors.h", "fetch_errors.h"):
        for line in cases_of(name):
            yield None, line
    for line in WRITTEN:
        yield None, line.replace("PLACE", "kpt_target_six")
    for i, seed in enumerate(seeds):
        yield from random_cases(seed, 1 if i else 5)


def steps(command, text):
    """Return what guest.c does."""
    act = []
    if command:
        call = command if command == "unlink" else \
            f"must /proc/kpt_target {command}"
        act = ["stop", "clear trace", "each must enable 1", call,
               "each must enable 0", "trace"]
    into = "dynamic_events" if text[0] in "tf" else "kprobe_events"
    return ["clear dynamic_events", "clear error_log"] + \
        [f"write {into} {line}" for line in text.split(";;")] + \
        ["show T error_log", f"show S {into}", "each show F format"] + act


def cases(seeds):
    """Yield all cases; values of a CPU have to be those of the same CPU."""
    yield "", ["cpu 0"]
    for command, text in all_cases(seeds):
        yield text, steps(command, text)
    yield "", ["clear dynamic_events"]


PARTS = {"E": "errno", "T": "caret", "S": "list", "F": "format", "O": "trace"}


mistakes = rules.unknown_rows


def split(side):
    """Tell the reason in the first line of an error_log from the rest of it."""
    log = side["caret"]
    side["reason"] = log[0].partition("error: ")[2] if log else ""
    # Of a function that is not there, ours says more behind the kernel's own text.
    if side["reason"].startswith(rules.NO_SYMBOL):
        side["reason"] = rules.NO_SYMBOL
    side["caret"] = log[1:]
    side["format"] = [line for line in side["format"]
                      if not line.startswith("ID: ")]


def lacks(case, kernel):
    """Return what of a case that differs the kernel is too old to know."""
    if not case.differs:
        return ""
    for tells, word in rules.NEWER:
        if tells(case) and not kernel.has(word):
            return word
    reason = case.kptrace["reason"]
    if "reason" in case.differs and reason in rules.MAINLINE and \
            reason.encode() not in kernel.image:
        return reason
    return ""


def meant(case):
    """Return the rows of the documentation that the case is about."""
    rows = []
    for row, tells in rules.DIFFERENCES:
        told = case.differs and tells(case)
        if told:
            rows.append(row)
            case.differs -= told if isinstance(told, set) else set(case.kernel)
    return rows


def summary(case):
    """Count records."""
    return {"records": len(case.kptrace["trace"])}
