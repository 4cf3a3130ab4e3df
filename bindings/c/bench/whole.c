/* whole TIMES MESSAGE...: parses each message this many times, and decodes Subject, From and
 * every text. */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>

static size_t taken(mime_charset_text *text) {
  size_t length = mime_charset_text_string(text).length;
  mime_charset_text_free(text);
  return length;
}

static size_t field(const mime_charset_message *message, const char *name, size_t length) {
  mime_charset_text *text;
  return mime_charset_field_named_text(message, 0, name, length, NULL, &text) == MIME_CHARSET_OK ? taken(text) : 0;
}

static size_t read(const uint8_t *octets, size_t length) {
  mime_charset_message *message;
  mime_charset_text *text;
  size_t part, parts, sum;
  if (mime_charset_message_borrow(octets, length, &message) != MIME_CHARSET_OK) return 0;
  sum = field(message, "Subject", 7) + field(message, "From", 4);
  parts = mime_charset_part_count(message);
  for (part = 0; part < parts; part++) {
    if (mime_charset_part_is_text(message, part) &&
        mime_charset_part_text(message, part, NULL, &text) == MIME_CHARSET_OK) {
      sum += taken(text);
    }
  }
  mime_charset_message_free(message);
  return sum;
}

int main(int count, char **arguments) {
  static uint8_t octets[1 << 20];
  size_t sum = 0;
  int times = count > 1 ? atoi(arguments[1]) : 0, at, time;
  for (at = 2; at < count; at++) {
    FILE *file = fopen(arguments[at], "rb");
    size_t length = file == NULL ? 0 : fread(octets, 1, sizeof octets, file);
    if (file == NULL) return EXIT_FAILURE;
    fclose(file);
    for (time = 0; time < times; time++) sum += read(octets, length);
  }
  printf("%lu\n", (unsigned long)sum);
  return EXIT_SUCCESS;
}
