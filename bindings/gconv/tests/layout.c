/* Checks that the structures of gconv.h have the offsets of src/border.rs: compiled, but never
 * run. tests/versions compiles it with the headers of other versions. */
#include <gconv.h>
#include <stddef.h>

#define AT(type, member, place) _Static_assert(offsetof(struct type, member) == (place), #member)

AT(__gconv_step, __shlib_handle, 0);
AT(__gconv_step, __modname, 8);
AT(__gconv_step, __counter, 16);
AT(__gconv_step, __from_name, 24);
AT(__gconv_step, __to_name, 32);
AT(__gconv_step, __fct, 40);
AT(__gconv_step, __btowc_fct, 48);
AT(__gconv_step, __init_fct, 56);
AT(__gconv_step, __end_fct, 64);
AT(__gconv_step, __min_needed_from, 72);
AT(__gconv_step, __max_needed_from, 76);
AT(__gconv_step, __min_needed_to, 80);
AT(__gconv_step, __max_needed_to, 84);
AT(__gconv_step, __stateful, 88);
AT(__gconv_step, __data, 96);
_Static_assert(sizeof(struct __gconv_step) == 104, "step");
AT(__gconv_step_data, __outbuf, 0);
AT(__gconv_step_data, __outbufend, 8);
AT(__gconv_step_data, __flags, 16);
AT(__gconv_step_data, __invocation_counter, 20);
AT(__gconv_step_data, __internal_use, 24);
AT(__gconv_step_data, __statep, 32);
AT(__gconv_step_data, __state, 40);
_Static_assert(sizeof(struct __gconv_step_data) == 48, "data");
_Static_assert(sizeof(__mbstate_t) == 8, "state");
_Static_assert(__GCONV_OK == 0 && __GCONV_NOCONV == 1 && __GCONV_EMPTY_INPUT == 4, "answers");
_Static_assert(__GCONV_FULL_OUTPUT == 5 && __GCONV_ILLEGAL_INPUT == 6, "answers");
_Static_assert(__GCONV_INCOMPLETE_INPUT == 7 && __GCONV_ILLEGAL_DESCRIPTOR == 8, "answers");
_Static_assert(__GCONV_IS_LAST == 1 && __GCONV_IGNORE_ERRORS == 2, "flags");
