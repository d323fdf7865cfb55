package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"vision/internal/text"
)

// document is a configuration's text and where each of its keys stands.
type document struct {
	name    string         // of the file; "" = a text without one
	lines   map[string]int // by key: tables[0].cameras[1].url; "" is the first line that has a key
	tokens  map[[2]int]string
	anchors map[string]ast.Node
	errs    []error
}

// Marks with which editors begin a file (The Unicode Standard, §23.8).
var (
	mark8  = []byte("\xef\xbb\xbf")
	mark16 = [][]byte{[]byte("\xff\xfe"), []byte("\xfe\xff")}
)

// read holds a text against the form of a Config, before anything is decoded: unknown and
// double keys, values of the wrong type, references where none are looked up, a second document.
func read(name string, b []byte) (*document, error) {
	d := &document{name: name, lines: map[string]int{"": 1}, tokens: map[[2]int]string{}, anchors: map[string]ast.Node{}}
	switch {
	case bytes.HasPrefix(b, mark8):
		err := d.at(1, errors.New("the file begins with a byte order mark (BOM); save it as UTF-8 without one"))
		return d, err
	case slices.ContainsFunc(mark16, func(m []byte) bool { return bytes.HasPrefix(b, m) }):
		err := d.at(1, errors.New("the file is written in UTF-16; save it as UTF-8 without a byte order mark"))
		return d, err
	}
	file, err := parser.ParseBytes(b, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		err = d.decoding(err)
		return d, err
	}
	first := true
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if _, comment := doc.Body.(*ast.CommentGroupNode); comment {
			continue
		}
		if !first {
			line := doc.Body.GetToken().Position.Line
			if doc.Start != nil {
				line = doc.Start.Position.Line
			}
			err := d.at(line, errors.New("a second document begins here (---), and would not be read; join them into one, or remove it"))
			return d, err
		}
		first = false
		d.walk("", doc.Body, reflect.TypeFor[Config](), "")
	}
	return d, errors.Join(d.errs...)
}

// at puts file and line before an error.
func (d *document) at(line int, err error) error {
	if d.name == "" {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return fmt.Errorf("%s:%d: %w", d.name, line, err)
}

func (d *document) bad(n ast.Node, key, format string, a ...any) {
	d.errs = append(d.errs, d.at(n.GetToken().Position.Line, fmt.Errorf("%s: %s", key, fmt.Sprintf(format, a...))))
}

// decoding is an error of the YAML library with its place, without what it quotes.
func (d *document) decoding(err error) error {
	var at yaml.Error
	if !errors.As(err, &at) || at.GetToken() == nil {
		return d.at(1, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false))))
	}
	pos := at.GetToken().Position
	msg := strings.TrimSpace(at.GetMessage())
	if key, ok := d.tokens[[2]int{pos.Line, pos.Column}]; ok {
		return d.at(pos.Line, fmt.Errorf("%s: %s", key, msg))
	}
	return d.at(pos.Line, fmt.Errorf("column %d: %s; indent with spaces, and put text that has : # { [ or quotation marks into single quotes", pos.Column, msg))
}

// locate puts the lines before errors that begin with a key, "tables[0].min: …".
func (d *document) locate(err error) error {
	if err == nil {
		return nil
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok && fmt.Sprint(err) == fmt.Sprint(errors.Join(all.Unwrap()...)) {
		var out []error
		for _, e := range all.Unwrap() {
			out = append(out, d.locate(e))
		}
		return errors.Join(out...)
	}
	key, _, _ := strings.Cut(err.Error(), ":")
	key, _, _ = strings.Cut(key, " ")
	for {
		if line, ok := d.lines[key]; ok {
			return d.at(line, err)
		}
		i := strings.LastIndexAny(key, ".[")
		if i < 0 {
			return d.at(d.lines[""], err)
		}
		key = key[:i]
	}
}

var (
	duration  = reflect.TypeFor[time.Duration]()
	ownScalar = reflect.TypeFor[yaml.BytesUnmarshaler]()
)

// walk holds a node against the type that its value is decoded into; secret is the tag of
// its field.
func (d *document) walk(key string, n ast.Node, t reflect.Type, secret string) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if tk := n.GetToken(); tk != nil {
		if _, ok := d.lines[key]; !ok || key == "" {
			d.lines[key] = tk.Position.Line
		}
		d.tokens[[2]int{tk.Position.Line, tk.Position.Column}] = key
	}
	switch n := n.(type) {
	case *ast.AnchorNode:
		d.anchors[n.Name.String()] = n.Value
		d.walk(key, n.Value, t, secret)
	case *ast.AliasNode:
		if to := d.anchors[n.Value.String()]; to == nil {
			d.bad(n, key, "no anchor &%s stands before this", n.Value.String())
		}
	case *ast.TagNode:
		d.walk(key, n.Value, t, secret)
	case *ast.MappingNode:
		d.mapping(key, n, n.Values, t)
	case *ast.MappingValueNode:
		d.mapping(key, n, []*ast.MappingValueNode{n}, t)
	case *ast.SequenceNode:
		var elem reflect.Type
		switch {
		case t == nil:
		case t.Kind() == reflect.Slice:
			elem = t.Elem()
		default:
			d.bad(n, key, "this is a list; want %s", wanted(t))
			return
		}
		for i, v := range n.Values {
			d.walk(fmt.Sprintf("%s[%d]", key, i), v, elem, secret)
		}
	case *ast.NullNode, *ast.CommentGroupNode:
	default:
		d.scalar(key, n, t, secret)
	}
}

func (d *document) mapping(key string, at ast.Node, values []*ast.MappingValueNode, t reflect.Type) {
	var fields map[string]reflect.StructField
	var elem reflect.Type
	switch {
	case t == nil:
	case t.Kind() == reflect.Struct:
		fields = fieldsOf(t)
	case t.Kind() == reflect.Map:
		elem = t.Elem()
	default:
		d.bad(at, key, "keys are given here; want %s", wanted(t))
		return
	}
	if elem != nil && elem.Kind() == reflect.Interface {
		elem = nil
	}
	seen := map[string]int{}
	for _, v := range values {
		if v.Key.IsMergeKey() {
			d.walk(key, v.Value, t, "")
			continue
		}
		name := strings.Trim(v.Key.String(), `"'`)
		path := strings.TrimPrefix(key+"."+name, ".")
		line := v.Key.GetToken().Position.Line
		if before, double := seen[name]; double {
			d.bad(v.Key, path, "given a second time, after line %d; remove one of them", before)
			continue
		}
		seen[name] = line
		d.lines[path] = line
		if fields == nil {
			d.walk(path, v.Value, elem, "")
			continue
		}
		f, ok := fields[name]
		if !ok {
			names := slices.Sorted(maps.Keys(fields))
			if near := text.Nearest(name, names); near != "" {
				d.bad(v.Key, path, "unknown key; did you mean %s? It has %s", near, strings.Join(names, ", "))
			} else {
				d.bad(v.Key, path, "unknown key; remove it, or write one of %s", strings.Join(names, ", "))
			}
			continue
		}
		d.walk(path, v.Value, f.Type, f.Tag.Get("secret"))
	}
}

// fieldsOf are the keys of a part of the file.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	out := map[string]reflect.StructField{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); name != "" {
			out[name] = t.Field(i)
		}
	}
	return out
}

// leftReference is what looks like a reference and is none that is looked up.
var leftReference = regexp.MustCompile(`\$\{[A-Za-z]+(:[^{}]*)?\}`)

func (d *document) scalar(key string, n ast.Node, t reflect.Type, secret string) {
	value := n.String()
	if s, ok := n.(*ast.StringNode); ok {
		value = s.Value
	}
	left := value
	if secret != "" {
		left = reference.ReplaceAllString(value, "")
	}
	if ref := leftReference.FindString(left); ref != "" {
		if secret == "" {
			d.bad(n, key, "%s is not looked up here; write the value itself. Only passwords, secrets, tokens, addresses and paths of keys may refer to others", ref)
		} else {
			d.bad(n, key, "%s is no reference; write ${credential:NAME}, ${file:PATH} or ${env:NAME}", ref)
		}
		return
	}
	if t == nil || t.Kind() == reflect.Interface || reflect.PointerTo(t).Implements(ownScalar) {
		return
	}
	fits := true
	switch n.(type) {
	case *ast.IntegerNode:
		fits = !slices.Contains([]reflect.Kind{reflect.Bool, reflect.Slice, reflect.Map, reflect.Struct}, t.Kind()) &&
			t != duration
	case *ast.FloatNode:
		fits = t.Kind() == reflect.Float64 || t.Kind() == reflect.String
	case *ast.BoolNode:
		fits = t.Kind() == reflect.Bool
	default: // a text
		fits = t.Kind() == reflect.String || t == duration
	}
	if _, err := time.ParseDuration(value); fits && t == duration && err != nil {
		fits = false
	}
	if !fits {
		d.bad(n, key, "this is %s; want %s", given(n), wanted(t))
	}
}

// given is what a scalar is, for people; it is not quoted: it may be a secret.
func given(n ast.Node) string {
	switch n.(type) {
	case *ast.IntegerNode:
		return "a whole number"
	case *ast.FloatNode:
		return "a number with decimals"
	case *ast.BoolNode:
		return "true or false"
	}
	return "text"
}

// wanted is what a type is written as, for people.
func wanted(t reflect.Type) string {
	switch {
	case t == duration:
		return "a time with its unit, like 90s, 5m or 72h"
	case reflect.PointerTo(t).Implements(ownScalar):
		return "a size like 200GB"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number, without quotation marks"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list: [a, b], or a line with \"- \" for each"
	case reflect.Struct:
		keys := slices.Sorted(maps.Keys(fieldsOf(t)))
		return "keys: " + strings.Join(keys, ", ")
	case reflect.Map:
		return "keys with their values, like {a: 1}"
	}
	return "text"
}

// control finds control characters in values: they end lines of mails, of HTTP headers and
// of the log (RFC 5322 §2.2, RFC 9110 §5.5). The value is not quoted: it may be a secret.
func (c *Config) control() (errs []error) {
	bad := func(at, s string) {
		if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
			r := []rune(s[i:])[0]
			errs = append(errs, fmt.Errorf("%s: a control character (%U) at byte %d; remove it: the value has to be one line", at, r, i+1))
		}
	}
	var look func(at string, v reflect.Value)
	look = func(at string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if !v.IsNil() {
				look(at, v.Elem())
			}
		case reflect.String:
			bad(at, v.String())
		case reflect.Slice:
			for i := range v.Len() {
				look(fmt.Sprintf("%s[%d]", at, i), v.Index(i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				look(at+"."+fmt.Sprint(k), v.MapIndex(k))
			}
		}
	}
	each(reflect.ValueOf(c).Elem(), "", func(at string, _ reflect.StructField, v reflect.Value) { look(at, v) })
	return errs
}

// mailbox says what is wrong with one address of a mail (RFC 5322 §3.4).
func mailbox(s string) error {
	if _, err := mail.ParseAddress(s); err != nil {
		return fmt.Errorf("%q is no address of a mail; write like vision@casa.example", s)
	}
	return nil
}
