package sim

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"vision/internal/card"
	"vision/internal/lab/sim/deck"
	"vision/internal/lab/sim/scene"
	"vision/internal/lab/sim/script"
)

// director moves hands and things on the scene as the script's acts demand.
type director struct {
	stage  *stage
	scene  *scene.Scene
	rng    *rand.Rand
	deck   *deck.Deck
	limbs  map[script.Who]*scene.Limb
	things map[int]*thing
	round  script.Round
	next   int // first act that has not taken effect
	paths  map[script.Who][]move
	beside []touch                  // of this round, in time order, those to come
	held   map[script.Who][]carried // what a hand has taken up for a moment
	rack   *rack                    // nil where there is none
	began  float64                  // of the round, seconds of the table's clock
}

// thing is what lies on the table under a tag of the script.
type thing struct {
	id      scene.ID
	sprite  *scene.Sprite
	at      [2]float64
	stands  bool
	who     script.Who     // laid it
	card    *script.Placed // nil for no card
	chips   []string       // of a pile, from the felt upwards
	face    int            // of a die, the upper one
	plaques bool
	fallen  bool // a pile, for a moment
	angle   float64
}

// move is one act of one arm with what it needs drawn.
type move struct {
	act    *script.Act
	at     float64 // the hand is at its target: the act's time, earlier for a throw
	start  float64 // sets out from rest, or from the place of the act before
	rested bool    // sets out from rest
	pick   float64 // takes up what it carries
	back   float64 // is at rest again; 0 when the next act follows at once
	from   [2]float64
	target [2]float64
	carry  []carried
	empty  bool // the hand fetches nothing on its way
}

type carried struct {
	sprite *scene.Sprite
	at     [2]float64
}

func newDirector(st *stage, sc *scene.Scene, seed uint64) (*director, error) {
	d := &director{
		stage:  st,
		scene:  sc,
		rng:    rand.New(rand.NewPCG(seed, 0xd1)),
		things: map[int]*thing{},
		limbs:  map[script.Who]*scene.Limb{},
		held:   map[script.Who][]carried{},
	}
	if st.deck != "" {
		var err error
		if d.deck, err = deck.New(st.deck); err != nil {
			return nil, err
		}
	}
	scale := st.view.Scale
	d.limbs[script.Croupier] = scene.NewLimb(
		scene.Look{Skin: skins[d.rng.IntN(len(skins))], Sleeve: [3]float64{28, 28, 34}, Cuff: [3]float64{236, 236, 234}},
		scale*0.95,
	)
	for n := 1; n <= st.seats; n++ {
		sleeve := sleeves[(n+d.rng.IntN(2)*st.seats)%len(sleeves)]
		d.limbs[script.Who(n)] = scene.NewLimb(
			scene.Look{Skin: skins[d.rng.IntN(len(skins))], Sleeve: sleeve, Cuff: sleeve},
			scale*1.05,
		)
	}
	return d, nil
}

var (
	skins   = [][3]float64{{222, 172, 142}, {196, 138, 106}, {238, 196, 168}, {128, 84, 60}, {176, 120, 88}}
	sleeves = [][3]float64{
		{60, 80, 140}, {130, 40, 48}, {92, 98, 104}, {196, 186, 164}, {44, 72, 60}, {70, 50, 90}, {214, 214, 218},
	}
)

// begin takes up a new round, at a second of the table's clock.
func (d *director) begin(r script.Round, began float64) error {
	d.round, d.next, d.paths, d.beside, d.began = r, 0, map[script.Who][]move{}, nil, began
	clear(d.held)
	for i := range d.round.Acts {
		a := &d.round.Acts[i]
		if a.Who == script.Nobody {
			continue
		}
		target, err := d.target(a)
		if err != nil {
			return err
		}
		d.paths[a.Who] = append(d.paths[a.Who], move{act: a, at: handTime(a), target: target, empty: len(a.Lift) > 0})
	}
	for who, path := range d.paths {
		d.plan(who, path)
	}
	d.bank()
	return nil
}

// handTime is when the hand has done its part of an act.
func handTime(a *script.Act) float64 {
	if len(a.Dice) > 0 {
		return landing(a, 0) - flight
	}
	return a.At
}

// Times of a movement, seconds.
const (
	reach   = 0.95 // from rest over the pick-up to the target
	carry   = 0.5  // from the pick-up to the target
	retreat = 0.55 // from the target to rest
	linger  = 0.1  // at the target
)

// plan fits the arm's movements to the times at which its acts take effect.
func (d *director) plan(who script.Who, path []move) {
	last := -10.0
	for i := range path {
		m := &path[i]
		m.from = d.store(who, m.act)
		free := m.at - last
		m.rested = free > reach+retreat
		m.start = m.at - reach
		if !m.rested {
			m.start = last + linger
		}
		m.pick = max(m.at-carry, (m.start+m.at)/2)
		m.back = m.at + linger + retreat
		if i+1 < len(path) && path[i+1].at-m.at <= reach+retreat {
			m.back = 0
		}
		last = m.at
	}
}

// store is where an arm fetches what it lays down.
func (d *director) store(who script.Who, a *script.Act) [2]float64 {
	switch {
	case who != script.Croupier:
		return [2]float64{d.stage.seatX(int(who)), d.stage.near() + 160}
	case len(a.Cards) > 0:
		return d.stage.shoe
	}
	return d.stage.tray
}

// rest is where an arm is out of the picture.
func (d *director) rest(who script.Who) [2]float64 {
	if who == script.Croupier {
		return [2]float64{clothW / 2, -900}
	}
	return [2]float64{d.stage.seatX(int(who)), d.stage.near() + 640}
}

// shoulder is the pixel from which an arm comes.
func (d *director) shoulder(who script.Who) image.Point {
	if who == script.Croupier {
		p := d.scene.Point(clothW/2, 0, 0)
		if d.stage.aside {
			return d.beyond(p, d.scene.Point(clothW/2, d.stage.far(), 0))
		}
		return image.Pt(p.X, -d.stage.view.Size[1]/2)
	}
	p := d.scene.Point(d.stage.seatX(int(who)), d.stage.near(), 0)
	if d.stage.aside {
		return d.beyond(d.scene.Point(d.stage.seatX(int(who)), 0, 0), p)
	}
	return image.Pt(p.X+40, d.stage.view.Size[1]*3/2)
}

// beyond is a pixel far outside the picture on the way from a over b.
func (d *director) beyond(a, b image.Point) image.Point {
	x, y := float64(b.X-a.X), float64(b.Y-a.Y)
	k := 1.5 * float64(d.stage.view.Size[0]) / math.Hypot(x, y)
	return image.Pt(a.X+int(k*x), a.Y+int(k*y))
}

// laying is what an act lays down under a tag: a card, a pile, or a die.
type laying struct {
	tag  int
	at   [2]float64
	card *script.Placed // nil for no card
	pile *script.Pile   // nil for no pile
}

// layings are what an act lays down: cards, then piles, then dice.
func (d *director) layings(a *script.Act) (list []laying, err error) {
	for i := range a.Cards {
		c := &a.Cards[i]
		at, wrong := d.stage.cardAt(c.Zone, c.Slot, c.Across)
		list, err = append(list, laying{c.Tag, at, c, nil}), cmp.Or(err, wrong)
	}
	for i := range a.Piles {
		p := &a.Piles[i]
		at, wrong := d.stage.pileAt(*p)
		list, err = append(list, laying{p.Tag, at, nil, p}), cmp.Or(err, wrong)
	}
	for k := range a.Dice {
		list = append(list, laying{tag: a.Tag + k, at: d.diceRest(a, k)})
	}
	return list, err
}

// target is the middle of the places that an act touches.
func (d *director) target(a *script.Act) ([2]float64, error) {
	laid, err := d.layings(a)
	if err != nil {
		return [2]float64{}, err
	}
	if len(a.Dice) > 0 {
		return [2]float64{d.stage.seatX(int(a.Who)), d.stage.near() - 120}, nil
	}
	var places [][2]float64
	for _, l := range laid {
		places = append(places, l.at)
	}
	if len(places) == 0 {
		for _, tag := range a.Lift {
			if at, ok := d.whereabouts(tag); ok {
				places = append(places, at)
			}
		}
	}
	return middle(places, [2]float64{clothW / 2, d.stage.layout.Depth / 2}), nil
}

// middle is that of some places; or else where there are none.
func middle(places [][2]float64, or [2]float64) [2]float64 {
	if len(places) == 0 {
		return or
	}
	var sum [2]float64
	for _, p := range places {
		sum[0], sum[1] = sum[0]+p[0], sum[1]+p[1]
	}
	n := float64(len(places))
	return [2]float64{sum[0] / n, sum[1] / n}
}

// whereabouts is where a tag lies, or will lie in this round.
func (d *director) whereabouts(tag int) ([2]float64, bool) {
	for i := range d.round.Acts {
		list, err := d.layings(&d.round.Acts[i])
		if k := slices.IndexFunc(list, func(l laying) bool { return l.tag == tag }); k >= 0 {
			return list[k].at, err == nil
		}
	}
	if t := d.things[tag]; t != nil {
		return t.at, true
	}
	return [2]float64{}, false
}

// draw brings the scene to the given second of the round and shows the arms.
func (d *director) draw(now float64) error {
	for d.next < len(d.round.Acts) && d.round.Acts[d.next].At <= now {
		if err := d.touchUntil(d.round.Acts[d.next].At); err != nil {
			return err
		}
		if err := d.effect(&d.round.Acts[d.next]); err != nil {
			return err
		}
		d.next++
	}
	if err := d.touchUntil(now); err != nil {
		return err
	}
	d.drawThrow(now)
	for who := script.Croupier; int(who) <= d.stage.seats; who++ {
		if err := d.drawArm(who, now); err != nil {
			return err
		}
	}
	return nil
}

// effect is the moment at which an act changes what lies on the table.
func (d *director) effect(a *script.Act) error {
	for _, tag := range a.Lift {
		t := d.things[tag]
		if t == nil {
			return fmt.Errorf("simulated table %s: nothing lies under tag %d", d.stage.game, tag)
		}
		d.scene.Take(t.id)
		delete(d.things, tag)
		if m := d.moveOf(a); m != nil {
			m.carry = append(m.carry, carried{t.sprite, t.at})
		}
	}
	if m := d.moveOf(a); m != nil && len(a.Cards)+len(a.Piles) > 0 {
		if err := d.prepare(m); err != nil {
			return err
		}
		lift := len(a.Lift)
		tags := tagsOf(a)
		for i, tag := range tags {
			c := m.carry[len(m.carry)-len(tags)+i]
			t := d.things[tag]
			t.who = a.Who
			t.id = d.scene.Lay(c.sprite, t.stands, t.at)
		}
		m.carry = m.carry[:min(lift, len(m.carry))]
	}
	for i, face := range a.Dice {
		at := d.diceRest(a, i)
		sp := d.dieAtRest(a, i, face, at)
		d.things[a.Tag+i] = &thing{id: d.scene.Lay(sp, true, at), sprite: sp, at: at, stands: true, face: face}
	}
	return nil
}

func tagsOf(a *script.Act) []int {
	var out []int
	for _, c := range a.Cards {
		out = append(out, c.Tag)
	}
	for _, p := range a.Piles {
		out = append(out, p.Tag)
	}
	return out
}

func (d *director) moveOf(a *script.Act) *move {
	for i := range d.paths[a.Who] {
		if m := &d.paths[a.Who][i]; m.act == a {
			return m
		}
	}
	return nil
}

// prepare draws what an act lays down, once, where it will lie.
func (d *director) prepare(m *move) error {
	a := m.act
	if tags := tagsOf(a); len(tags) == 0 || d.things[tags[0]] != nil {
		return nil
	}
	for _, c := range a.Cards {
		at, err := d.stage.cardAt(c.Zone, c.Slot, c.Across)
		if err != nil {
			return err
		}
		at = d.jitter(at, 1.6)
		angle := (d.rng.Float64() - 0.5) * 0.07
		if c.Across {
			angle += math.Pi / 2
		}
		sp := d.cardSprite(c, at, angle)
		d.things[c.Tag] = &thing{sprite: sp, at: at, card: &c, angle: angle}
		m.carry = append(m.carry, carried{sp, at})
	}
	for _, p := range a.Piles {
		at, err := d.stage.pileAt(p)
		if err != nil {
			return err
		}
		at = d.jitter(at, 1.5)
		ids, angle := p.Chips, 0.0
		if p.Plaques {
			angle = (d.rng.Float64() - 0.5) * 0.3
		}
		sp, err := d.scene.Pile(ids, at[0], at[1], angle)
		if err != nil {
			return err
		}
		d.things[p.Tag] = &thing{sprite: sp, at: at, stands: true, chips: ids, plaques: p.Plaques, angle: angle}
		m.carry = append(m.carry, carried{sp, at})
	}
	return nil
}

// cardSprite draws a card as it lies, its face or its back.
func (d *director) cardSprite(c script.Placed, at [2]float64, angle float64) *scene.Sprite {
	face := c.Card
	if c.Down {
		face = card.Unseen
	}
	return d.scene.Card(d.deck.Face(face), cardW, cardH, at[0], at[1], angle)
}

func (d *director) jitter(at [2]float64, mm float64) [2]float64 {
	return [2]float64{at[0] + (2*d.rng.Float64()-1)*mm, at[1] + (2*d.rng.Float64()-1)*mm}
}

// drawArm shows one arm, and what it carries, where it is at the moment.
func (d *director) drawArm(who script.Who, now float64) error {
	for i := range d.paths[who] {
		m := &d.paths[who][i]
		end := m.back
		if end == 0 && i+1 < len(d.paths[who]) {
			end = d.paths[who][i+1].start
		}
		if now < m.start || now >= max(end, m.at+linger) {
			continue
		}
		at, lift := d.tip(who, i, now)
		tip := d.scene.Point(at[0], at[1], lift)
		if err := d.drawLoad(who, m, tip, now); err != nil {
			return err
		}
		d.scene.Arm(d.limbs[who], tip, d.shoulder(who))
		return nil
	}
	return nil
}

// drawLoad shows what the arm carries: before the act what it brings, after it
// what it has taken away.
func (d *director) drawLoad(who script.Who, m *move, tip image.Point, now float64) error {
	if now >= m.pick && now < m.at && len(m.act.Lift) == 0 {
		if err := d.prepare(m); err != nil {
			return err
		}
	}
	for _, c := range d.held[who] {
		d.scene.Carry(c.sprite, tip.Sub(d.scene.Point(c.at[0], c.at[1], 12)))
	}
	if now < m.pick {
		return nil
	}
	there := d.scene.Point(m.target[0], m.target[1], 12)
	for _, c := range m.carry {
		d.scene.Carry(c.sprite, tip.Sub(there))
	}
	return nil
}

// tip is where the finger tips are and how high.
func (d *director) tip(who script.Who, i int, now float64) ([2]float64, float64) {
	m := &d.paths[who][i]
	begin := d.rest(who)
	if !m.rested && i > 0 {
		begin = d.paths[who][i-1].target
	}
	from := m.from
	if m.empty {
		from = between(begin, m.target, 0.5) // empty hands need not fetch anything
	}
	switch {
	case now < m.pick:
		return glide(begin, from, (now-m.start)/(m.pick-m.start), 70, 40)
	case now < m.at:
		return glide(from, m.target, (now-m.pick)/(m.at-m.pick), 60, 12)
	case now < m.at+linger || m.back == 0:
		return m.target, 12
	}
	return glide(m.target, d.rest(who), (now-m.at-linger)/(m.back-m.at-linger), 60, 60)
}

func between(a, b [2]float64, k float64) [2]float64 {
	return [2]float64{a[0] + (b[0]-a[0])*k, a[1] + (b[1]-a[1])*k}
}

// glide moves from a to b with rest at both ends, arching to a height.
func glide(a, b [2]float64, k, arch, end float64) ([2]float64, float64) {
	k = max(0, min(1, k))
	s := k * k * (3 - 2*k)
	return between(a, b, s), arch*4*s*(1-s)*0.5 + end
}
