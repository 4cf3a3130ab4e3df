/* glibc iconv(3). It stops at malformed octets with an error, and what to put there is the caller's choice, so text of
   malformed octets is not offered. It stops in the same way at characters that it does not know. */
#include "adapter.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

static json_object *answer(const Case *one, const char **error) {
  iconv_t converter = iconv_open("UTF-8", argument(one, "charset"));
  if (converter == (iconv_t)-1) {
    *error = "iconv_open: unknown charset";
    return NULL;
  }
  /* An octet never becomes more than a few characters. */
  size_t room = one->length * 32 + 64, left = one->length, space = room;
  char *text = malloc(room), *out = text, *in = (char *)one->octets;
  if (iconv(converter, &in, &left, &out, &space) == (size_t)-1 ||
      iconv(converter, NULL, NULL, &out, &space) == (size_t)-1) {
    *error = errno == E2BIG ? "iconv: E2BIG" : NOT_OFFERED "text of malformed octets";
  }
  iconv_close(converter);
  json_object *found = json_object_new_string_len(text, (int)(out - text));
  free(text);
  return found;
}

int main(void) {
  const char *const offered[] = {"decode", NULL};
  return run("glibc iconv", gnu_get_libc_version(), offered, answer);
}
