package node

import (
	"context"
	"sync"
	"time"

	"vision/internal/backoff"
	"vision/stream/console"
	"vision/stream/index"
	"vision/validate/finding"
	"vision/validate/operating"
	"vision/validate/track"
)

// policies has how the findings of each table are judged: by the rates of mistakes that are stated for it, as
// the decided alerts correct them, and by the budget of false alerts.
type policies struct {
	node *Node

	mu        sync.Mutex
	rounds    int // of the index
	confirmed map[finding.Class]int
	refuted   map[finding.Class]int
	made      map[string]made
}

// made is a policy and what it was made for.
type made struct {
	policy track.Policy
	budget float64
	stated string
}

// learnEvery is how often decided alerts are counted anew.
const learnEvery = time.Minute

// run counts the rounds and the decided alerts of the index until ctx ends.
func (p *policies) run(ctx context.Context) error {
	p.learn(ctx)
	return backoff.Every(ctx, learnEvery, func(time.Time) { p.learn(ctx) })
}

// learn counts; an index that cannot answer now leaves what was counted before.
func (p *policies) learn(ctx context.Context) {
	all, err := p.node.index.Statistics(ctx, index.Query{}, nil, time.Local)
	if err != nil {
		p.node.log.Debug("mistake rates unavailable", "err", err)
		return
	}
	rounds, confirmed, refuted := 0, map[finding.Class]int{}, map[finding.Class]int{}
	for i := range all {
		rounds += all[i].Rounds - all[i].NotVerifiable
		for code, n := range all[i].Judged {
			if !finding.Known(finding.Code(code)) {
				continue
			}
			c, wrong := finding.Of(finding.Code(code)).Class(), all[i].FalseCodes[code]
			confirmed[c] += n - wrong
			refuted[c] += wrong
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rounds, p.confirmed, p.refuted = rounds, confirmed, refuted
	p.made = map[string]made{}
}

// stated are the rates that the configuration has for a table.
func (p *policies) stated(table string) operating.Rates {
	cfg := p.node.inForce()
	rates := operating.Usual().With(rated(cfg.Rates))
	for i := range cfg.Tables {
		if cfg.Tables[i].ID == table {
			rates = rates.With(rated(cfg.Tables[i].Rates))
		}
	}
	return rates
}

func rated(of map[string]float64) operating.Rates {
	r := operating.Rates{}
	for c, v := range of {
		r[finding.Class(c)] = v
	}
	return r
}

// of is the policy of a table.
func (p *policies) of(table string) track.Policy {
	budget, stated := p.node.limits.Now().Budget, p.stated(table)
	p.mu.Lock()
	defer p.mu.Unlock()
	key := stated.String()
	if m, ok := p.made[table]; ok && m.budget == budget && m.stated == key {
		return m.policy
	}
	m := made{track.PolicyOf(p.learned(stated), budget), budget, key}
	if p.made == nil {
		p.made = map[string]made{}
	}
	p.made[table] = m
	return m.policy
}

// learned are stated rates as decided alerts correct them; called with the lock held.
func (p *policies) learned(stated operating.Rates) operating.Rates {
	rates := operating.Rates{}
	for _, l := range stated.Learn(p.rounds, p.confirmed, p.refuted) {
		rates[l.Class] = l.Rate
	}
	return rates
}

// shown is what people see of the policies of the tables.
func (p *policies) shown() (all []console.Rates) {
	budget, cfg := p.node.limits.Now().Budget, p.node.inForce()
	for i := range cfg.Tables {
		id := cfg.Tables[i].ID
		stated := p.stated(id)
		p.mu.Lock()
		at := operating.Measured().At(p.learned(stated), budget)
		r := console.Rates{Table: id, Rounds: p.rounds, Threshold: at.Threshold, Found: at.Found, By: at.By}
		for _, l := range stated.Learn(p.rounds, p.confirmed, p.refuted) {
			r.Classes = append(r.Classes, console.ClassRate(l))
		}
		p.mu.Unlock()
		all = append(all, r)
	}
	return all
}
