/* play SEED STEPS MESSAGE...: makes random calls in any order, with complete, truncated and damaged messages,
 * handles that may be NULL, and indexes that may be past the end. Run under valgrind and with AddressSanitizer;
 * the program itself checks the invariants of every result. A seed always gives the same calls.
 *
 * With PLAY_FUZZED it is a function for tests/fuzz instead of a program: the first octets of the fuzzer's input
 * choose the calls, and the rest is the message. */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s, step %lu\n", __FILE__, __LINE__, #condition, step); \
      abort(); \
    } \
  } while (0)

enum { HANDLES = 8, MOST = 1 << 14 };

static unsigned long step;
static mime_charset_message *messages[HANDLES];
static mime_charset_text *texts[HANDLES];
static mime_charset_decoder *decoders[HANDLES];
static mime_charset_addresses *addresses[HANDLES];
/* The octets of borrowed messages. */
static uint8_t *owned[HANDLES];

#ifdef PLAY_FUZZED

static const uint8_t *script, *script_end, *message_end;

/* The next octet of the script, or two if one is too few; 0 after its end. */
static size_t draw(size_t below) {
  size_t drawn = script < script_end ? *script++ : 0;
  if (below > 256) drawn = drawn << 8 | (script < script_end ? *script++ : 0);
  return drawn % below;
}

static size_t message(uint8_t *into) {
  size_t length = (size_t)(message_end - script_end);
  memcpy(into, script_end, length);
  return length;
}

#else

static unsigned long long state;
static char **names;
static int name_count;

/* Knuth's MMIX generator. */
static size_t draw(size_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % below;
}

/* A message of the corpus. */
static size_t message(uint8_t *into) {
  FILE *file = fopen(names[draw((size_t)name_count)], "rb");
  size_t length = file == NULL ? 0 : fread(into, 1, MOST, file);
  if (file != NULL) fclose(file);
  return length;
}

#endif

/* An index, usually valid, sometimes past every end. */
static size_t place(void) { return draw(9) == 0 ? SIZE_MAX - draw(2) : draw(6); }

/* A copy in a buffer of exactly this length, so that reads beyond it are detected. */
static uint8_t *exactly(const uint8_t *octets, size_t length) {
  uint8_t *made = (uint8_t *)malloc(length > 0 ? length : 1);
  memcpy(made, octets, length);
  return made;
}

/* A message, sometimes truncated or damaged. */
static uint8_t *octets(size_t *length) {
  static uint8_t read[MOST];
  size_t damages = draw(4) == 0 ? draw(9) : 0;
  *length = message(read);
  if (*length > 0 && draw(3) == 0) *length = draw(*length);
  while (*length > 0 && damages-- > 0) read[draw(*length)] = (uint8_t)draw(256);
  return exactly(read, *length);
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

/* A valid status, and a handle if and only if it is OK. */
static void answered(int32_t status, const void *handle) {
  CHECK(status >= MIME_CHARSET_OK && status < MIME_CHARSET_PANIC);
  CHECK((status == MIME_CHARSET_OK) == (handle != NULL));
}

/* Stores a text in place of another, which is freed. */
static void keep(int32_t status, mime_charset_text **text) {
  size_t at = draw(HANDLES);
  answered(status, *text);
  mime_charset_text_free(texts[at]);
  texts[at] = *text;
}

/* Calls every function that takes a text. */
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
  size_t length;
  uint8_t *read = octets(&length);
  int32_t status;
  mime_charset_message_free(messages[at]);
  free(owned[at]);
  owned[at] = NULL;
  if (draw(2)) {
    status = mime_charset_message_copy(read, length, &messages[at]);
    free(read);
  } else {
    status = mime_charset_message_borrow(read, length, &messages[at]);
    owned[at] = read;
  }
  answered(status, messages[at]);
}

/* The files in a text, and the octets of one of them. */
static void uuencoded(const mime_charset_message *taken, size_t part, const mime_charset_options *chosen) {
  mime_charset_uuencoded *files = NULL;
  mime_charset_text *text = NULL;
  mime_charset_file file;
  size_t at = place();
  int32_t status = mime_charset_part_uuencoded(taken, part, chosen, &files);
  answered(status, files);
  CHECK((mime_charset_uuencoded_at(files, at, &file) == MIME_CHARSET_OK) ==
        (at < mime_charset_uuencoded_count(files)));
  keep(mime_charset_uuencoded_octets(files, at, &text), &text);
  mime_charset_uuencoded_free(files);
}

static void of_message(const mime_charset_message *taken) {
  mime_charset_options made;
  const mime_charset_options *chosen = options(&made);
  mime_charset_text *text = NULL;
  mime_charset_mailbox mailbox;
  mime_charset_date date;
  size_t part = place(), field = place(), list[3], at = draw(HANDLES);
  int32_t status;
  switch (draw(20)) {
  case 0: keep(mime_charset_part_text(taken, part, chosen, &text), &text); break;
  case 15: keep(mime_charset_part_filename_to_save(taken, part, &text), &text); break;
  case 16: keep(mime_charset_message_id(taken, &text), &text); break;
  case 17: keep(mime_charset_message_thread_key(taken, &text), &text); break;
  case 19: uuencoded(taken, part, chosen); break;
  case 18: mime_charset_message_date(taken, &date); mime_charset_message_received_date(taken, &date); break;
  case 13: keep(mime_charset_part_reading_text(taken, part, chosen, &text), &text); break;
  case 14: keep(mime_charset_part_preview(taken, part, draw(100), chosen, &text), &text); break;
  case 1: keep(mime_charset_part_octets(taken, part, &text), &text); break;
  case 2: keep(mime_charset_part_filename(taken, part, chosen, &text), &text); break;
  case 3: keep(mime_charset_part_decide(taken, part, chosen, &text), &text); break;
  case 4: keep(mime_charset_part_section(taken, part, &text), &text); break;
  case 5: keep(mime_charset_part_media_type(taken, part, &text), &text); break;
  case 6: keep(mime_charset_field_text(taken, part, field, chosen, &text), &text); break;
  case 7:
    mime_charset_addresses_free(addresses[at]);
    status = draw(2) ? mime_charset_field_addresses(taken, part, field, chosen, &addresses[at])
                     : mime_charset_field_named_addresses(taken, part, "From", draw(5), chosen, &addresses[at]);
    answered(status, addresses[at]);
    field = place();
    CHECK((mime_charset_addresses_at(addresses[at], field, &mailbox) == MIME_CHARSET_OK) ==
          (field < mime_charset_addresses_count(addresses[at])));
    break;
  case 8:
    CHECK(mime_charset_part_children(taken, part, list, 3) <= mime_charset_part_count(taken));
    mime_charset_part_parent(taken, part);
    break;
  case 9: mime_charset_message_shown(taken, (int32_t)draw(4), list, 3); break;
  case 10:
    mime_charset_field_name(taken, part, field);
    mime_charset_field_body(taken, part, field);
    mime_charset_field_find(taken, part, "Subject", draw(8), place());
    keep(mime_charset_field_named_text(taken, part, "Subject", draw(8), chosen, &text), &text);
    break;
  case 11: keep(mime_charset_message_findings(taken, &text), &text); break;
  default:
    mime_charset_message_octets(taken);
    mime_charset_part_is_text(taken, part);
    mime_charset_part_is_multipart(taken, part);
    mime_charset_part_is_message(taken, part);
    CHECK(mime_charset_field_count(taken, part) <= MOST);
  }
}

/* The properties of a charset, and the meaning of a label. */
static void of_charset(const mime_charset_charset *charset, const char *label, size_t length) {
  mime_charset_utf8 alias = mime_charset_charset_alias(charset, place());
  CHECK(alias.data == NULL || mime_charset_charset_for_label(alias.data, alias.length) == charset);
  CHECK(mime_charset_version()[0] != '\0');
  mime_charset_charset_mibenum(charset);
  mime_charset_charset_is_decoded(mime_charset_charset_for_label(label, length));
}

/* Encodes addresses that were read. */
static void write_addresses(const mime_charset_addresses *read) {
  mime_charset_mailbox list[HANDLES];
  mime_charset_text *text = NULL;
  size_t count = 0;
  while (count < HANDLES && mime_charset_addresses_at(read, count, &list[count]) == MIME_CHARSET_OK) count++;
  keep(mime_charset_encode_mailboxes(list, count, draw(80), &text), &text);
}

static void of_octets(void) {
  mime_charset_options made;
  const mime_charset_options *chosen = options(&made);
  const mime_charset_charset *charset = mime_charset_charset_at(draw(400));
  mime_charset_utf8 label = mime_charset_charset_name(charset);
  mime_charset_text *text = NULL;
  size_t length, at = draw(HANDLES);
  uint8_t *whole = octets(&length);
  size_t from = length > 0 ? draw(length) : 0, rest = length - from > 300 ? 300 : length - from;
  uint8_t *piece = exactly(whole + from, rest);
  const char *string = (const char *)piece;
  int32_t status;
  switch (draw(12)) {
  case 0: keep(mime_charset_decode(piece, rest, label.data, label.length, chosen, &text), &text); break;
  case 1: keep(mime_charset_charset_decode(charset, piece, rest, chosen, &text), &text); break;
  case 2: keep(mime_charset_detect(piece, rest, &text), &text); break;
  case 3: keep(mime_charset_convert(whole, length, chosen, &text), &text); break;
  case 4: keep(mime_charset_encode_unstructured(string, rest, draw(80), &text), &text); break;
  case 5: keep(mime_charset_encode_mailbox(string, rest, "a@example.org", 13, draw(80), &text), &text); break;
  case 6: keep(mime_charset_mailbox_name_decode(string, rest, &text), &text); break;
  case 7: write_addresses(addresses[at]); break;
  case 8: keep(mime_charset_mailbox_name_encode(string, rest, &text), &text); break;
  case 9: keep(mime_charset_encode_parameter("name", draw(5), string, rest, draw(80), &text), &text); break;
  case 10: of_charset(charset, string, rest); break;
  default:
    mime_charset_decoder_free(decoders[at]);
    status = mime_charset_decoder_new(charset, chosen, &decoders[at]);
    answered(status, decoders[at]);
  }
  free(piece);
  free(whole);
}

static void of_decoder(mime_charset_decoder *decoder) {
  char room[64];
  char *out = room;
  size_t in_left, before, out_left = draw(sizeof room), room_before = out_left;
  uint8_t *read;
  const uint8_t *in;
  mime_charset_text *text = NULL;
  int32_t status;
  if (draw(8) == 0) {
    keep(mime_charset_decoder_finish(decoder, &text), &text);
    return;
  }
  in = read = octets(&in_left);
  before = in_left;
  status = mime_charset_decoder_convert(decoder, &in, &in_left, &out, &out_left);
  CHECK(status >= MIME_CHARSET_OK && status < MIME_CHARSET_PANIC);
  CHECK((size_t)(in - read) + in_left == before && (size_t)(out - room) + out_left == room_before);
  free(read);
}

static void play_once(void) {
  size_t at = draw(HANDLES);
  switch (draw(8)) {
  case 0: begin(at); break;
  case 1: case 2: case 3: of_message(messages[at]); break;
  case 4: of_octets(); break;
  case 5: of_decoder(decoders[at]); break;
  default: look(texts[at]);
  }
}

static void free_all(void) {
  size_t at;
  for (at = 0; at < HANDLES; at++) {
    mime_charset_message_free(messages[at]);
    mime_charset_text_free(texts[at]);
    mime_charset_decoder_free(decoders[at]);
    mime_charset_addresses_free(addresses[at]);
    free(owned[at]);
    messages[at] = NULL;
    texts[at] = NULL;
    decoders[at] = NULL;
    addresses[at] = NULL;
    owned[at] = NULL;
  }
}

#ifdef PLAY_FUZZED

void mime_charset_play(const uint8_t *data, size_t length);

void mime_charset_play(const uint8_t *data, size_t length) {
  enum { CALLS = 256 };
  if (length > MOST) length = MOST;
  script = data;
  script_end = data + (length < CALLS ? length : CALLS);
  message_end = data + length;
  for (step = 0; script < script_end; step++) {
    /* Each place first gets a message. */
    if (step < HANDLES) begin(step);
    else play_once();
  }
  free_all();
}

#else

int main(int count, char **arguments) {
  unsigned long steps;
  if (count < 4) return EXIT_FAILURE;
  state = strtoull(arguments[1], NULL, 10);
  steps = strtoul(arguments[2], NULL, 10);
  names = arguments + 3;
  name_count = count - 3;
  for (step = 0; step < steps; step++) play_once();
  free_all();
  return EXIT_SUCCESS;
}

#endif
