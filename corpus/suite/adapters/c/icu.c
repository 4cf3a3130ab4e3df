/* ICU converters by name, with their default callback: malformed octets become U+FFFD, or U+001A where one octet of some
   converters is malformed. */
#include "adapter.h"

#include <stdlib.h>
#include <unicode/ucnv.h>
#include <unicode/ustring.h>

static json_object *answer(const Case *one, const char **error) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(argument(one, "charset"), &status);
  if (U_FAILURE(status)) {
    *error = u_errorName(status);
    return NULL;
  }
  int32_t room = (int32_t)one->length * 32 + 64, length = 0;
  UChar *units = malloc((size_t)room * sizeof *units);
  char *text = malloc((size_t)room * 3);
  int32_t count = ucnv_toUChars(converter, units, room, (const char *)one->octets, (int32_t)one->length, &status);
  u_strToUTF8WithSub(text, room * 3, &length, units, count, 0xFFFD, NULL, &status);
  ucnv_close(converter);
  json_object *found = NULL;
  if (U_FAILURE(status)) *error = u_errorName(status);
  else found = json_object_new_string_len(text, length);
  free(units);
  free(text);
  return found;
}

int main(void) {
  const char *const offered[] = {"decode", NULL};
  return run("ICU", U_ICU_VERSION, offered, answer);
}
