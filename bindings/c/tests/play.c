/* play SEED STEPS MESSAGE...: random calls in any order, over messages whole, cut and damaged, with handles
 * that may be NULL, and places that may be past the end. Run under valgrind and with AddressSanitizer; what
 * it checks by itself is what every answer has to keep. The same seed plays the same calls. */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s, step %lu\n", __FILE__, __LINE__, #condition, step); \
      exit(EXIT_FAILURE); \
    } \
  } while (0)

enum { HANDLES = 8, MOST = 1 << 14 };

static unsigned long step;
static unsigned long long state;
static mime_charset_message *messages[HANDLES];
static mime_charset_text *texts[HANDLES];
static mime_charset_decoder *decoders[HANDLES];
static mime_charset_addresses *addresses[HANDLES];
/* What borrowed messages stand in. */
static uint8_t *owned[HANDLES];
static char **names;
static int name_count;

/* Knuth's MMIX generator. */
static size_t draw(size_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % below;
}

/* A place that mostly is one, and may be past every end. */
static size_t place(void) { return draw(9) == 0 ? SIZE_MAX - draw(2) : draw(6); }

/* A message of the corpus, now and then cut or damaged. */
static size_t octets(uint8_t *into) {
  FILE *file = fopen(names[draw((size_t)name_count)], "rb");
  size_t length = file == NULL ? 0 : fread(into, 1, MOST, file), damages = draw(4) == 0 ? draw(9) : 0;
  if (file != NULL) fclose(file);
  if (length > 0 && draw(3) == 0) length = draw(length);
  while (length > 0 && damages-- > 0) into[draw(length)] = (uint8_t)draw(256);
  return length;
}

static const mime_charset_options *options(mime_charset_options *made) {
  if (draw(3) == 0) return NULL;
  memset(made, 0, sizeof *made);
  made->size = draw(20) == 0 ? draw(64) : sizeof *made;
  made->hint = draw(2) ? mime_charset_charset_at(draw(400)) : NULL;
  made->force = draw(6) == 0 ? mime_charset_charset_at(draw(400)) : NULL;
  made->trust_label = draw(2);
  made->partial = draw(2);
  made->keep_bom = draw(2);
  made->as_registered = draw(2);
  made->hangul = (uint8_t)draw(4);
  return made;
}

/* A status is one of those, and there is a handle where it is OK and nowhere else. */
static void answered(int32_t status, const void *handle) {
  CHECK(status >= MIME_CHARSET_OK && status < MIME_CHARSET_PANIC);
  CHECK((status == MIME_CHARSET_OK) == (handle != NULL));
}

/* Keeps a text in place of another, which is freed. */
static void keep(int32_t status, mime_charset_text **text) {
  size_t at = draw(HANDLES);
  answered(status, *text);
  mime_charset_text_free(texts[at]);
  texts[at] = *text;
}

/* Everything that may be asked of a text. */
static void look(const mime_charset_text *text) {
  mime_charset_utf8 string = mime_charset_text_string(text);
  mime_charset_finding finding;
  mime_charset_evidence evidence;
  mime_charset_change change;
  size_t at = place();
  CHECK(string.data == NULL || string.data[string.length] == '\0');
  CHECK(mime_charset_text_confidence(text) <= 100);
  mime_charset_charset_name(mime_charset_text_charset(text));
  mime_charset_text_source(text);
  mime_charset_text_has_loss(text);
  mime_charset_text_findings_omitted(text);
  CHECK((mime_charset_text_finding(text, at, &finding) == MIME_CHARSET_OK) ==
        (at < mime_charset_text_finding_count(text)));
  CHECK((mime_charset_text_evidence(text, at, &evidence) == MIME_CHARSET_OK) ==
        (at < mime_charset_text_evidence_count(text)));
  CHECK((mime_charset_text_change(text, at, &change) == MIME_CHARSET_OK) ==
        (at < mime_charset_text_change_count(text)));
}

static void begin(size_t at) {
  uint8_t *read = (uint8_t *)malloc(MOST);
  size_t length = octets(read);
  mime_charset_message *message;
  int32_t status;
  mime_charset_message_free(messages[at]);
  free(owned[at]);
  owned[at] = NULL;
  if (draw(2)) {
    status = mime_charset_message_copy(read, length, &message);
    free(read);
  } else {
    status = mime_charset_message_borrow(read, length, &message);
    owned[at] = read;
  }
  answered(status, message);
  messages[at] = message;
}

static void of_message(const mime_charset_message *message) {
  mime_charset_options made;
  const mime_charset_options *chosen = options(&made);
  mime_charset_text *text = NULL;
  mime_charset_mailbox mailbox;
  size_t part = place(), field = place(), list[3], at = draw(HANDLES);
  int32_t status;
  switch (draw(12)) {
  case 0: keep(mime_charset_part_text(message, part, chosen, &text), &text); break;
  case 1: keep(mime_charset_part_octets(message, part, &text), &text); break;
  case 2: keep(mime_charset_part_filename(message, part, chosen, &text), &text); break;
  case 3: keep(mime_charset_part_decide(message, part, chosen, &text), &text); break;
  case 4: keep(mime_charset_part_section(message, part, &text), &text); break;
  case 5: keep(mime_charset_part_media_type(message, part, &text), &text); break;
  case 6: keep(mime_charset_field_text(message, part, field, chosen, &text), &text); break;
  case 7:
    mime_charset_addresses_free(addresses[at]);
    status = mime_charset_field_addresses(message, part, field, chosen, &addresses[at]);
    answered(status, addresses[at]);
    mime_charset_addresses_at(addresses[at], place(), &mailbox);
    break;
  case 8:
    CHECK(mime_charset_part_children(message, part, list, 3) <= mime_charset_part_count(message));
    mime_charset_part_parent(message, part);
    break;
  case 9: mime_charset_message_shown(message, (int32_t)draw(4), list, 3); break;
  case 10:
    mime_charset_field_name(message, part, field);
    mime_charset_field_body(message, part, field);
    mime_charset_field_find(message, part, "Subject", draw(8), place());
    keep(mime_charset_field_named_text(message, part, "Subject", draw(8), chosen, &text), &text);
    break;
  default:
    mime_charset_part_is_text(message, part);
    mime_charset_part_is_multipart(message, part);
    mime_charset_part_is_message(message, part);
    CHECK(mime_charset_field_count(message, part) <= MOST);
  }
}

/* Addresses that were read, written again. */
static void write_addresses(const mime_charset_addresses *read) {
  mime_charset_mailbox list[HANDLES];
  mime_charset_text *text = NULL;
  size_t count = 0;
  while (count < HANDLES && mime_charset_addresses_at(read, count, &list[count]) == MIME_CHARSET_OK) count++;
  keep(mime_charset_encode_mailboxes(list, count, draw(80), &text), &text);
}

static void of_octets(void) {
  static uint8_t read[MOST];
  mime_charset_options made;
  const mime_charset_options *chosen = options(&made);
  const mime_charset_charset *charset = mime_charset_charset_at(draw(400));
  mime_charset_utf8 label = mime_charset_charset_name(charset);
  mime_charset_text *text = NULL;
  size_t length = octets(read), from = length > 0 ? draw(length) : 0, at = draw(HANDLES);
  const char *string = (const char *)read + from;
  int32_t status;
  length = length - from > 300 ? 300 : length - from;
  switch (draw(9)) {
  case 0: keep(mime_charset_decode(read + from, length, label.data, label.length, chosen, &text), &text); break;
  case 1: keep(mime_charset_charset_decode(charset, read + from, length, chosen, &text), &text); break;
  case 2: keep(mime_charset_detect(read + from, length, &text), &text); break;
  case 3: keep(mime_charset_convert(read, from, chosen, &text), &text); break;
  case 4: keep(mime_charset_encode_unstructured(string, length, draw(80), &text), &text); break;
  case 5: keep(mime_charset_encode_mailbox(string, length, "a@example.org", 13, draw(80), &text), &text); break;
  case 6: keep(mime_charset_mailbox_name_decode(string, length, &text), &text); break;
  case 7: write_addresses(addresses[at]); break;
  default:
    mime_charset_decoder_free(decoders[at]);
    status = mime_charset_decoder_new(charset, chosen, &decoders[at]);
    answered(status, decoders[at]);
  }
}

static void of_decoder(mime_charset_decoder *decoder) {
  static uint8_t read[MOST];
  char room[64];
  const uint8_t *in = read;
  char *out = room;
  size_t in_left = octets(read), out_left = draw(sizeof room), before = in_left, room_before = out_left;
  mime_charset_text *text = NULL;
  int32_t status;
  if (draw(8) == 0) {
    keep(mime_charset_decoder_finish(decoder, &text), &text);
    return;
  }
  status = mime_charset_decoder_convert(decoder, &in, &in_left, &out, &out_left);
  CHECK(status >= MIME_CHARSET_OK && status < MIME_CHARSET_PANIC);
  CHECK((size_t)(in - read) + in_left == before && (size_t)(out - room) + out_left == room_before);
}

int main(int count, char **arguments) {
  unsigned long steps;
  size_t at;
  if (count < 4) return EXIT_FAILURE;
  state = strtoull(arguments[1], NULL, 10);
  steps = strtoul(arguments[2], NULL, 10);
  names = arguments + 3;
  name_count = count - 3;
  for (step = 0; step < steps; step++) {
    at = draw(HANDLES);
    switch (draw(8)) {
    case 0: begin(at); break;
    case 1: case 2: case 3: of_message(messages[at]); break;
    case 4: of_octets(); break;
    case 5: of_decoder(decoders[at]); break;
    default: look(texts[at]);
    }
  }
  for (at = 0; at < HANDLES; at++) {
    mime_charset_message_free(messages[at]);
    mime_charset_text_free(texts[at]);
    mime_charset_decoder_free(decoders[at]);
    mime_charset_addresses_free(addresses[at]);
    free(owned[at]);
  }
  return EXIT_SUCCESS;
}
