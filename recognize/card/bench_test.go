package card

import (
	"image"
	"testing"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/internal/shared"
)

// BenchmarkFrame reads a whole 1080p photograph of a blackjack table from cold.
func BenchmarkFrame(b *testing.B) {
	img, r := benchSetup(b)
	defer r.Close()
	defer img.Close()
	b.Run("find", func(b *testing.B) {
		for range b.N {
			if _, err := find(img, Hint{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for range b.N {
			if _, err := r.Read(img, Hint{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	zone := img.Region(image.Rect(850, 600, 1300, 900))
	defer zone.Close()
	patch := zone.Clone()
	defer patch.Close()
	b.Run("zone", func(b *testing.B) {
		for range b.N {
			if _, err := r.Read(patch, Hint{Short: 135}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchSetup(b *testing.B) (gocv.Mat, *Reader) {
	b.Helper()
	img, err := cv.ReadImage(shared.Dir(b, "data", "nickreisner-blackjack", "images", "6237_hand1-1.jpg"))
	if err != nil {
		b.Fatal(err)
	}
	r, err := NewReader(Options{})
	if err != nil {
		b.Fatal(err)
	}
	return img, r
}
