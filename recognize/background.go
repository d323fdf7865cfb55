package recognize

import (
	"fmt"

	"gocv.io/x/gocv"

	"vision/internal/cv"
	"vision/recognize/dice"
)

// LearnBackground takes the camera's picture of the table with nothing on it, so that print on
// the felt is no longer read. It is valid until the camera moves. The caller keeps img.
func (t *Table) LearnBackground(img gocv.Mat) error {
	if err := t.fits(img); err != nil {
		return err
	}
	closeMat(&t.empty)
	t.empty = img.Clone()
	t.relearn()
	return nil
}

// learnBackgroundFrom is LearnBackground with a picture that is still coded.
func (t *Table) learnBackgroundFrom(file []byte) error {
	img, err := cv.DecodeImage(file)
	if err == nil {
		defer img.Close()
		err = t.LearnBackground(img)
	}
	if err != nil {
		return fmt.Errorf("picture of the empty table: %w", err)
	}
	return nil
}

// relearn forgets the learned felt, except that of LearnBackground if the camera has not moved
// since.
func (t *Table) relearn() {
	known := t.empty.Ptr() != nil && !t.away
	for _, z := range t.zones {
		if z.tubes != nil && t.away {
			z.tubes.Forget()
		}
		z.forgetBackground()
		if known {
			z.learnBackground(t.empty)
		}
	}
}

// background is the picture of the table with nothing on it, BGR; nil if unknown, or if the
// camera has moved.
func (t *Table) background() []byte {
	if t.empty.Ptr() == nil || t.away {
		return nil
	}
	pix, err := t.empty.DataPtrUint8()
	if err != nil {
		return nil
	}
	return pix
}

// forgetBackground discards the learned felt.
func (z *zone) forgetBackground() {
	closeMat(&z.flatBackground)
	closeMat(&z.topBackground)
	z.ground = nil
	for i := range z.lasting {
		z.lasting[i].forget()
	}
	if z.diceFelt != nil {
		z.diceFelt = new(dice.Felt)
	}
}

// learnBackground takes over a frame in which nothing lies.
func (z *zone) learnBackground(empty gocv.Mat) {
	if z.flat != nil {
		z.flatBackground = z.flat.cut(empty)
	}
	if z.top == nil {
		return
	}
	z.topBackground = z.top.cut(empty)
	if pix, err := z.topBackground.DataPtrUint8(); err == nil {
		z.diceFelt.LearnBackground(pix, z.topBackground.Cols(), z.topBackground.Rows())
	}
}

func closeMat(m *gocv.Mat) {
	if m.Ptr() != nil {
		m.Close()
		*m = gocv.Mat{}
	}
}
