// Command decks writes the faces and backs of the project's own drawn decks, for
// training (held-out designs are left out): DIR/STYLE/LABEL.png, transparent corners filled with white.
//
//	go run ./models/train/decks DIR
package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/deck"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: decks DIR")
	}
	for _, style := range slices.Concat(deck.Styles(), deck.Indexless(), deck.Spanish()) {
		if deck.HeldOut(style) {
			continue
		}
		if err := write(filepath.Join(os.Args[1], style), style); err != nil {
			log.Fatal(err)
		}
	}
}

func write(dir, style string) error {
	d, err := deck.New(style)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, c := range append(d.Cards(), card.Unseen) {
		name := c.String()
		if c == card.Unseen {
			name = "BK"
		}
		if err := save(filepath.Join(dir, name+".png"), d.Face(c)); err != nil {
			return err
		}
	}
	return nil
}

func save(path string, face image.Image) error {
	flat := image.NewRGBA(face.Bounds())
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Bounds(), face, face.Bounds().Min, draw.Over)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, flat); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
