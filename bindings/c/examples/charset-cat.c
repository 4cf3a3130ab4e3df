/* Reads a message from standard input and prints its text in UTF-8: a display filter for mutt.
 *
 *     set display_filter="charset-cat"
 */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>

static void show(mime_charset_text *text) {
  mime_charset_utf8 string = mime_charset_text_string(text);
  if (string.length > 0) {
    fwrite(string.data, 1, string.length, stdout);
  }
  mime_charset_text_free(text);
}

static uint8_t *read_all(size_t *length) {
  size_t capacity = 1 << 16, got;
  uint8_t *octets = malloc(capacity);
  *length = 0;
  while (octets != NULL && (got = fread(octets + *length, 1, capacity - *length, stdin)) > 0) {
    *length += got;
    if (*length == capacity) {
      uint8_t *larger = realloc(octets, capacity *= 2);
      if (larger == NULL) {
        free(octets);
      }
      octets = larger;
    }
  }
  return octets;
}

int main(void) {
  size_t length, part, field;
  uint8_t *octets = read_all(&length);
  mime_charset_message *message;
  mime_charset_text *text;
  if (octets == NULL || ferror(stdin) ||
      mime_charset_message_borrow(octets, length, &message) != MIME_CHARSET_OK) {
    fputs("charset-cat: the message cannot be read\n", stderr);
    free(octets);
    return EXIT_FAILURE;
  }
  for (field = 0; field < mime_charset_field_count(message, 0); field++) {
    mime_charset_octets name = mime_charset_field_name(message, 0, field);
    if (mime_charset_field_text(message, 0, field, NULL, &text) == MIME_CHARSET_OK) {
      fwrite(name.data, 1, name.length, stdout);
      fputs(": ", stdout);
      show(text);
      putchar('\n');
    }
  }
  for (part = 0; part < mime_charset_part_count(message); part++) {
    if (mime_charset_part_is_multipart(message, part) || mime_charset_part_is_message(message, part)) {
      continue;
    }
    if (mime_charset_part_filename(message, part, NULL, &text) == MIME_CHARSET_OK) {
      fputs("\n[", stdout);
      show(text);
      fputs("]\n", stdout);
    }
    if (mime_charset_part_is_text(message, part) &&
        mime_charset_part_text(message, part, NULL, &text) == MIME_CHARSET_OK) {
      putchar('\n');
      show(text);
    }
  }
  mime_charset_message_free(message);
  free(octets);
  return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
