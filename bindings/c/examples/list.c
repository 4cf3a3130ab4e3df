/* Lists messages as a mail program does: date, author and subject of each message on one line, read from the
 * header alone.
 *
 *     list MESSAGE...
 */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes text on one line, truncated to this many columns. */
static void column(mime_charset_utf8 text, size_t columns) {
  size_t at;
  for (at = 0; at < text.length && columns > 0; at++) {
    unsigned char octet = (unsigned char)text.data[at];
    /* Hide control characters from the terminal. */
    putchar(octet < 0x20 || octet == 0x7F ? ' ' : octet);
    /* A character ends where the next octet begins one. */
    if (at + 1 == text.length || ((unsigned char)text.data[at + 1] & 0xC0) != 0x80) columns--;
  }
  while (columns-- > 0) putchar(' ');
  putchar(' ');
}

/* Writes the text of a field of the message, or blanks if there is none. */
static void field(const mime_charset_message *message, const char *name, size_t columns) {
  mime_charset_utf8 none = {NULL, 0};
  mime_charset_text *text;
  if (mime_charset_field_named_text(message, 0, name, strlen(name), NULL, &text) == MIME_CHARSET_OK) {
    column(mime_charset_text_string(text), columns);
    mime_charset_text_free(text);
  } else {
    column(none, columns);
  }
}

/* Writes the name of the first author, or else the address. */
static void writer(const mime_charset_message *message) {
  mime_charset_utf8 shown = {NULL, 0};
  mime_charset_addresses *addresses;
  mime_charset_mailbox mailbox;
  if (mime_charset_field_named_addresses(message, 0, "From", 4, NULL, &addresses) != MIME_CHARSET_OK) {
    addresses = NULL;
  } else if (mime_charset_addresses_at(addresses, 0, &mailbox) == MIME_CHARSET_OK) {
    shown = mailbox.name.length > 0 ? mailbox.name : mailbox.address;
  }
  column(shown, 20);
  mime_charset_addresses_free(addresses);
}

int main(int count, char **names) {
  static uint8_t octets[1 << 20];
  int number;
  for (number = 1; number < count; number++) {
    mime_charset_message *message;
    /* Read only the first megabyte: it contains the header. */
    FILE *file = fopen(names[number], "rb");
    size_t length = file == NULL ? 0 : fread(octets, 1, sizeof octets, file);
    if (file == NULL || ferror(file) ||
        mime_charset_message_borrow(octets, length, &message) != MIME_CHARSET_OK) {
      fprintf(stderr, "list: %s cannot be read\n", names[number]);
      return EXIT_FAILURE;
    }
    fclose(file);
    field(message, "Date", 16);
    writer(message);
    field(message, "Subject", 40);
    putchar('\n');
    mime_charset_message_free(message);
  }
  return EXIT_SUCCESS;
}
