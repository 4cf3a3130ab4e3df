/* pieces CHARSET: converts each line of standard input, octets in hexadecimal, to UTF-8, and prints
 *
 *     TEXT STATUS PLACE IGNORING LEFT
 *
 * TEXT is in hexadecimal (- if empty), up to the first error. STATUS is OK, EILSEQ, EINVAL or FLUSH (an error
 * from the flush). PLACE is the offset at which the conversion stopped. IGNORING is the text with //IGNORE, and
 * LEFT the number of octets it leaves, the beginning of a character. Each line is converted again with output
 * buffers of 1 to 7 octets, with the input octet by octet, through UTF-16, and twice by the same descriptor, in
 * two threads at once. The program fails if any result differs. */
#define _GNU_SOURCE
#include <errno.h>
#include <iconv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

struct answer {
    char text[MOST];
    size_t length;
    const char *status;
    size_t place;
};

struct line {
    char *octets;
    size_t length;
};

static const char *charset;
static struct line *lines;
static size_t line_count;

static void fail(const char *what, size_t line, size_t room) {
    fprintf(stderr, "%s, line %zu: %s with room for %zu\n", charset, line + 1, what, room);
    exit(1);
}

static const char *name_of(int error) {
    return error == EILSEQ ? "EILSEQ" : error == EINVAL ? "EINVAL" : error == E2BIG ? "E2BIG" : "?";
}

/* Converts with a limited output and input size per call; grows the output if not even one
 * character fits. Ends with a flush. */
static void convert(iconv_t cd, const struct line *line, size_t room, size_t piece, struct answer *answer) {
    char *in = line->octets;
    size_t given = 0, left = 0, now = room;
    answer->length = 0;
    answer->status = "OK";
    for (;;) {
        char *out = answer->text + answer->length;
        size_t out_left = now;
        const char *before = in;
        size_t result = iconv(cd, &in, &left, &out, &out_left);
        int error = result == (size_t)-1 ? errno : 0;
        size_t written = (size_t)(out - answer->text) - answer->length;
        answer->length += written;
        if (error == E2BIG) {
            now = written == 0 && in == before ? now + 1 : room;
        } else if (error == EILSEQ || (error == EINVAL && given == line->length)) {
            answer->status = name_of(error);
            break;
        } else if (error != 0 && error != EINVAL) {
            answer->status = "?";
            break;
        } else if (given == line->length) {
            break;
        } else {
            size_t more = line->length - given < piece ? line->length - given : piece;
            given += more;
            left += more;
        }
        if (answer->length + 64 > MOST) {
            answer->status = "LONG";
            break;
        }
    }
    answer->place = (size_t)(in - line->octets);
    /* Complete octets before a partial character may wait for it; the flush returns them too. */
    if (strcmp(answer->status, "EILSEQ") != 0) {
        now = room;
        for (;;) {
            char *out = answer->text + answer->length;
            size_t out_left = now;
            size_t result = iconv(cd, NULL, NULL, &out, &out_left);
            int error = result == (size_t)-1 ? errno : 0;
            size_t written = (size_t)(out - answer->text) - answer->length;
            answer->length += written;
            if (error == 0) break;
            if (error != E2BIG) {
                if (strcmp(answer->status, "OK") == 0) answer->status = "FLUSH";
                break;
            }
            now = written == 0 ? now + 1 : room;
        }
    }
    iconv(cd, NULL, NULL, NULL, NULL);
}

static int same(const struct answer *a, const struct answer *b) {
    return strcmp(a->status, b->status) == 0 && a->place == b->place && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

static iconv_t open_to(const char *to) {
    iconv_t cd = iconv_open(to, charset);
    if (cd == (iconv_t)-1) {
        fprintf(stderr, "%s to %s: not there\n", charset, to);
        exit(2);
    }
    return cd;
}

static void print(const struct answer *answer) {
    if (answer->length == 0) putchar('-');
    for (size_t i = 0; i < answer->length; i++) printf("%02X", (unsigned char)answer->text[i]);
}

static void *run(void *prints) {
    struct answer *whole = malloc(sizeof *whole), *other = malloc(sizeof *other), *wide = malloc(sizeof *wide);
    iconv_t utf8 = open_to("UTF-8"), utf16 = open_to("UTF-16LE"), ignoring = open_to("UTF-8//IGNORE");
    iconv_t back = iconv_open("UTF-8", "UTF-16LE");
    for (size_t i = 0; i < line_count; i++) {
        convert(utf8, &lines[i], MOST / 2, MOST, whole);
        for (size_t room = 1; room <= 7; room++) {
            convert(utf8, &lines[i], room, MOST, other);
            if (!same(whole, other)) fail("another text", i, room);
            convert(utf8, &lines[i], room, 1, other);
            if (!same(whole, other)) fail("another text octet by octet", i, room);
            /* The module must hold back characters that UTF-16 has no room for. */
            convert(utf16, &lines[i], room + 1, 3, other);
            char *in = other->text, *out = wide->text;
            size_t in_left = other->length, out_left = MOST;
            iconv(back, &in, &in_left, &out, &out_left);
            other->length = (size_t)(out - wide->text);
            memcpy(other->text, wide->text, other->length);
            if (!same(whole, other)) fail("another text in UTF-16", i, room);
        }
        if (prints) {
            print(whole);
            printf(" %s %zu ", whole->status, whole->place);
            char *in = lines[i].octets, *out = other->text;
            size_t in_left = lines[i].length, out_left = MOST;
            size_t result = iconv(ignoring, &in, &in_left, &out, &out_left);
            /* glibc reports skipped octets as an error, after consuming all of the input. */
            int is_told = result == (size_t)-1 && errno == EILSEQ && in_left == 0;
            if (strcmp(whole->status, "EILSEQ") == 0 && !is_told && errno != EINVAL) fail("not told", i, MOST);
            iconv(ignoring, NULL, NULL, &out, &out_left);
            iconv(ignoring, NULL, NULL, NULL, NULL);
            other->length = (size_t)(out - other->text);
            print(other);
            printf(" %zu\n", in_left);
        }
    }
    iconv_close(utf8);
    iconv_close(utf16);
    iconv_close(ignoring);
    iconv_close(back);
    free(whole);
    free(other);
    free(wide);
    return NULL;
}

static void read_lines(void) {
    static char text[2 * MOST];
    while (fgets(text, sizeof text, stdin) != NULL) {
        size_t length = strcspn(text, "\n") / 2;
        lines = realloc(lines, (line_count + 1) * sizeof *lines);
        struct line *line = &lines[line_count++];
        line->octets = malloc(length + 1);
        line->length = length;
        for (size_t i = 0; i < length; i++) {
            unsigned octet = 0;
            sscanf(text + 2 * i, "%2x", &octet);
            line->octets[i] = (char)octet;
        }
    }
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    charset = arguments[1];
    read_lines();
    pthread_t other;
    if (pthread_create(&other, NULL, run, NULL) != 0) return 2;
    run("");
    pthread_join(other, NULL);
    for (size_t i = 0; i < line_count; i++) free(lines[i].octets);
    free(lines);
    return 0;
}
