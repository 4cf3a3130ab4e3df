/* Prints what C decodes of a message for tests/corpus.py, one item per line: a word, then
 * hexadecimal digits. */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>

static void line(const char *word, const char *data, size_t length) {
  size_t at;
  printf("%s ", word);
  for (at = 0; at < length; at++) {
    printf("%02x", (unsigned)(unsigned char)data[at]);
  }
  putchar('\n');
}

static void text(const char *word, int32_t status, mime_charset_text *made) {
  mime_charset_utf8 string = mime_charset_text_string(made);
  size_t at;
  if (status == MIME_CHARSET_NONE && made == NULL) {
    return;
  }
  if (status != MIME_CHARSET_OK || string.data[string.length] != '\0') {
    exit(EXIT_FAILURE);
  }
  line(word, string.data, string.length);
  for (at = 0; at < mime_charset_text_finding_count(made); at++) {
    mime_charset_finding finding;
    if (mime_charset_text_finding(made, at, &finding) != MIME_CHARSET_OK) {
      exit(EXIT_FAILURE);
    }
    line("finding", finding.kind.data, finding.kind.length);
  }
}

int main(int count, char **paths) {
  int at;
  for (at = 1; at < count; at++) {
    FILE *file = fopen(paths[at], "rb");
    size_t length, part, field;
    uint8_t *octets = malloc(1 << 22);
    mime_charset_message *message;
    mime_charset_text *made;
    if (file == NULL || octets == NULL) {
      return EXIT_FAILURE;
    }
    length = fread(octets, 1, 1 << 22, file);
    fclose(file);
    if (mime_charset_message_copy(octets, length, &message) != MIME_CHARSET_OK) {
      return EXIT_FAILURE;
    }
    free(octets);
    printf("message %s\n", paths[at]);
    for (field = 0; field < mime_charset_field_count(message, 0); field++) {
      int32_t status = mime_charset_field_text(message, 0, field, NULL, &made);
      text("field", status, made);
      mime_charset_text_free(made);
    }
    for (part = 0; part < mime_charset_part_count(message); part++) {
      int32_t status;
      if (mime_charset_part_is_multipart(message, part)) {
        continue;
      }
      status = mime_charset_part_section(message, part, &made);
      text("part", status, made);
      mime_charset_text_free(made);
      status = mime_charset_part_media_type(message, part, &made);
      line("media_type", mime_charset_text_string(made).data, mime_charset_text_string(made).length);
      mime_charset_text_free(made);
      status = mime_charset_part_filename(message, part, NULL, &made);
      if (status == MIME_CHARSET_OK) {
        mime_charset_utf8 name = mime_charset_text_string(made);
        line("filename", name.data, name.length);
      }
      mime_charset_text_free(made);
      if (mime_charset_part_is_text(message, part)) {
        mime_charset_utf8 name;
        status = mime_charset_part_text(message, part, NULL, &made);
        name = mime_charset_charset_name(mime_charset_text_charset(made));
        line("charset", name.data, name.length);
        name = mime_charset_text_source(made);
        line("source", name.data, name.length);
        name = mime_charset_text_string(made);
        line("text", name.data, name.length);
        mime_charset_text_free(made);
      }
    }
    mime_charset_message_free(message);
  }
  return EXIT_SUCCESS;
}
