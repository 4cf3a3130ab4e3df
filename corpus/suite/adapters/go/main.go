// Asks net/mail, mime and mime/multipart of Go's standard library, with the charsets of golang.org/x/net/html/charset,
// whose NewReaderLabel is made for the CharsetReader of mime.WordDecoder.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
)

var words = mime.WordDecoder{CharsetReader: charset.NewReaderLabel}

var errNotOffered = errors.New("the charset of a type that is neither plain text nor HTML, without a label")

type question struct {
	ID, Ask, Field, Part, Parameter string
	Base64                          []byte
}

type mailbox struct {
	Name    *string `json:"name"`
	Address string  `json:"address"`
}

// An entity has the type of multipart, which works for a whole message too, and its content.
type entity struct {
	multipart.Part
	body io.Reader
	// The type without a Content-Type, which is the caller's to know (RFC 2046, section 5.1.5).
	standard string
}

func main() {
	asks := []string{"field", "addresses", "date", "zone", "structure", "parameter", "file name", "octets", "text"}
	output := json.NewEncoder(os.Stdout)
	version := strings.TrimPrefix(runtime.Version(), "go")
	output.Encode(map[string]any{"name": "Go net/mail, x/net", "version": version, "asks": asks})
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		json.Unmarshal(line, &asked)
		reply := map[string]any{"id": asked.ID}
		if reply["answer"], err = answer(asked); err == errNotOffered {
			reply = map[string]any{"id": asked.ID, "not offered": err.Error()}
		} else if err != nil {
			reply = map[string]any{"id": asked.ID, "error": err.Error()}
		}
		output.Encode(reply)
	}
}

func answer(asked question) (any, error) {
	message, err := mail.ReadMessage(bytes.NewReader(asked.Base64))
	if err != nil {
		return nil, err
	}
	header := message.Header
	switch asked.Ask {
	case "field":
		return field(header, asked.Field)
	case "addresses":
		return addresses(header, asked.Field)
	case "date", "zone":
		date, err := header.Date()
		if err != nil {
			return nil, nil
		}
		if asked.Ask == "date" {
			return date.Unix(), nil
		}
		_, offset := date.Zone()
		return offset / 60, nil
	case "structure":
		return structure(whole(message))
	}
	part, err := find(whole(message), strings.Split(asked.Part, "."))
	if err != nil {
		return nil, err
	}
	switch asked.Ask {
	case "parameter":
		return parameter(part, asked)
	case "file name":
		if name := part.FileName(); name != "" {
			return name, nil
		}
		return nil, nil
	case "text":
		return text(part)
	}
	return io.ReadAll(decoded(part))
}

func field(header mail.Header, name string) (any, error) {
	if len(header[textproto.CanonicalMIMEHeaderKey(name)]) == 0 {
		return nil, nil
	}
	text, err := words.DecodeHeader(header.Get(name))
	return strings.Trim(text, " \t\r\n"), err
}

func addresses(header mail.Header, name string) (any, error) {
	answer := []mailbox{}
	value := header.Get(name)
	if value == "" {
		return answer, nil
	}
	parser := mail.AddressParser{WordDecoder: &words}
	list, err := parser.ParseList(value)
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		found := mailbox{Address: one.Address}
		if one.Name != "" {
			found.Name = &one.Name
		}
		answer = append(answer, found)
	}
	return answer, nil
}

func whole(message *mail.Message) *entity {
	return &entity{multipart.Part{Header: textproto.MIMEHeader(message.Header)}, message.Body, "text/plain"}
}

func mediaType(part *entity) (string, map[string]string, error) {
	value := part.Header.Get("Content-Type")
	if value == "" {
		return part.standard, nil, nil
	}
	return mime.ParseMediaType(value)
}

// parts returns a function for the next part, or nil if this is no multipart.
func parts(part *entity) (string, func() (*entity, error), error) {
	kind, parameters, err := mediaType(part)
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		return kind, nil, err
	}
	standard := "text/plain"
	if kind == "multipart/digest" {
		standard = "message/rfc822"
	}
	reader := multipart.NewReader(part.body, parameters["boundary"])
	return kind, func() (*entity, error) {
		next, err := reader.NextRawPart()
		if err != nil {
			return nil, err
		}
		return &entity{multipart.Part{Header: next.Header}, next, standard}, nil
	}, nil
}

func structure(part *entity) (any, error) {
	kind, next, err := parts(part)
	if err != nil || next == nil {
		return kind, err
	}
	answer := []any{kind}
	for {
		inner, err := next()
		if err == io.EOF {
			return answer, nil
		} else if err != nil {
			return nil, err
		}
		shape, err := structure(inner)
		if err != nil {
			return nil, err
		}
		answer = append(answer, shape)
	}
}

// find returns the part with this number of IMAP.
func find(message *entity, number []string) (*entity, error) {
	place, err := strconv.Atoi(number[0])
	if err != nil {
		return nil, err
	}
	_, next, err := parts(message)
	if err != nil {
		return nil, err
	}
	part := message
	if next == nil && place != 1 {
		return nil, errors.New("no such part")
	}
	for ; next != nil && place > 0; place-- {
		if part, err = next(); err != nil {
			return nil, err
		}
	}
	if len(number) == 1 {
		return part, nil
	}
	if kind, _, err := mediaType(part); err != nil || kind != "message/rfc822" {
		return find(part, number[1:])
	}
	held, err := mail.ReadMessage(decoded(part))
	if err != nil {
		return nil, err
	}
	return find(whole(held), number[1:])
}

func parameter(part *entity, asked question) (any, error) {
	value := part.Header.Get(asked.Field)
	if value == "" {
		return nil, nil
	}
	_, parameters, err := mime.ParseMediaType(value)
	if text, ok := parameters[strings.ToLower(asked.Parameter)]; ok {
		return text, err
	}
	return nil, err
}

func decoded(part *entity) io.Reader {
	switch strings.ToLower(part.Header.Get("Content-Transfer-Encoding")) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, part.body)
	case "quoted-printable":
		return quotedprintable.NewReader(part.body)
	default:
		return part.body
	}
}

func text(part *entity) (any, error) {
	kind, parameters, err := mediaType(part)
	if err != nil {
		return nil, err
	}
	label, ok := parameters["charset"]
	var reader io.Reader
	switch {
	case kind == "text/html":
		// Made for HTML: it looks for a mark and a declaration too.
		reader, err = charset.NewReader(decoded(part), part.Header.Get("Content-Type"))
	case ok:
		reader, err = charset.NewReaderLabel(label, decoded(part))
	case kind == "text/plain":
		reader, err = charset.NewReaderLabel("us-ascii", decoded(part))
	default:
		err = errNotOffered
	}
	if err != nil {
		return nil, err
	}
	octets, err := io.ReadAll(reader)
	return string(octets), err
}
