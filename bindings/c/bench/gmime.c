/* As whole.c, with GMime, which decodes no text in charsets it does not know. */
#include <gmime/gmime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t sum;

static void text(GMimeObject *parent, GMimeObject *part, gpointer unused) {
  (void)parent;
  (void)unused;
  if (GMIME_IS_TEXT_PART(part)) {
    char *string = g_mime_text_part_get_text(GMIME_TEXT_PART(part));
    if (string != NULL) sum += strlen(string);
    g_free(string);
  }
}

static void take(const char *octets, size_t length) {
  GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, length);
  GMimeParser *parser = g_mime_parser_new_with_stream(stream);
  GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
  if (message != NULL) {
    const char *subject = g_mime_message_get_subject(message);
    char *from = internet_address_list_to_string(g_mime_message_get_from(message), NULL, FALSE);
    sum += (subject != NULL ? strlen(subject) : 0) + (from != NULL ? strlen(from) : 0);
    g_free(from);
    g_mime_message_foreach(message, text, NULL);
    g_object_unref(message);
  }
  g_object_unref(parser);
  g_object_unref(stream);
}

int main(int count, char **arguments) {
  static char octets[1 << 20];
  int times = count > 1 ? atoi(arguments[1]) : 0, at, time;
  g_mime_init();
  for (at = 2; at < count; at++) {
    FILE *file = fopen(arguments[at], "rb");
    size_t length = file == NULL ? 0 : fread(octets, 1, sizeof octets, file);
    if (file == NULL) return EXIT_FAILURE;
    fclose(file);
    for (time = 0; time < times; time++) take(octets, length);
  }
  printf("%lu\n", (unsigned long)sum);
  g_mime_shutdown();
  return EXIT_SUCCESS;
}
