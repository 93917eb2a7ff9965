/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything probed, under load: the program that runs in the guest. */
#ifndef SOAK_H
#define SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The current folder is the tracing directory throughout. */

/**
 * die() - say what went wrong, end the load and the program
 * @format: as printf()
 */
void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/**
 * put() - write a text to a file, or die
 * @file: the file
 * @text: the text
 */
void put(const char *file, const char *text);

/**
 * slurp() - read a file, or die
 * @file: the file
 *
 * Return: its content as a string, to be freed.
 */
char *slurp(const char *file);

/**
 * now() - seconds that have passed
 */
double now(void);

/* load.c */

/**
 * load_start() - begin to do everything a kernel is asked to do, in processes
 * @module: file of a module to load and unload
 */
void load_start(const char *module);

/**
 * load_pause() - have it rest, or go on
 * @pause: which
 */
void load_pause(bool pause);

/**
 * load_all_done() - tell whether each kind was done since load_start() was first called
 */
bool load_all_done(void);

/**
 * load_stop() - end it
 * @report: print what was done; each kind must have been
 */
void load_stop(bool report);

/* tracers.c */

/**
 * soak_tracer() - trace all functions under load, and check what was recorded
 * @tracer: function or function_graph
 * @seconds: for how long, or twice as long if not all kinds of work were done
 * @module: for load_start()
 */
void soak_tracer(const char *tracer, double seconds, const char *module);

#endif
