#!/usr/bin/env bash
# Makes every shipped network again: models/*.onnx and models/manifest.json.
# Needs the Debian packages of models/train/packages.txt; ../shared/data is used if it
# is there.
#
#   models/train/train.sh           MINUTES per stage (default 60), THREADS (default 2),
#                                   TRACED (folder of what tables/throws.py made; default none)
#   models/train/train.sh --quick   every stage for a few seconds, from nothing, in a
#                                   folder of its own: proves that the way works, and
#                                   leaves models/ as it is
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${VISION_SHARED:-../shared}/data
scripts=models/train out=models minutes=${MINUTES:-60} few=() nth=1
if [ "${1:-}" = --quick ]; then
	box=$(mktemp -d)
	trap 'rm -rf "$box"' EXIT
	mkdir -p "$box/train"
	cp models/train/*.py "$box/train/"
	scripts=$box/train out=$box minutes=${MINUTES:-0.2} few=(-limit 8) nth=60
elif [ $# -gt 0 ]; then
	echo "usage: $0 [--quick]" >&2
	exit 2
fi
work=$scripts/work
traced=(${TRACED:+--traced "$TRACED"})
train() { # SCRIPT [OPTION...]
	local script=$1
	shift
	nice -n 10 /usr/bin/python3 "$scripts/$script" --threads "${THREADS:-2}" --minutes "$minutes" --data "$data" --out "$out" "$@"
}
train_pips() { # on what the reader proposes in photographs, where there are some
	/usr/bin/python3 "$scripts/pips.py" --pictures "$nth" --data "$data" "${traced[@]}" >"$work/pictures.txt"
	if [ ! -s "$work/pictures.txt" ]; then
		train pips.py "${traced[@]}"
		return
	fi
	xargs -d '\n' -a "$work/pictures.txt" go run ./cmd/vision detect --kind dice >"$work/proposals.jsonl"
	train pips.py --proposals "$work/proposals.jsonl" "${traced[@]}"
}
train_cards() { # all networks of cards from one pack; a machine with a GPU may do the same with it (joint.py --from)
	local photos=()
	go run ./models/train/decks "$work/own"
	if [ -d "$data/rf100-poker-cards" ]; then # photographs that may train, cut out by the reader
		go run ./models/train/harvest "${few[@]}" -four "$data/rf100-poker-cards" "$work/photos/rf100"
		go run ./models/train/harvest "${few[@]}" "$data/edje-pinochle" "$work/photos/edje"
		photos=(--photos "$work/photos")
	fi
	/usr/bin/python3 "$scripts/pack.py" "$work/pack.zip" --data "$data" "${photos[@]}"
	nice -n 10 /usr/bin/python3 "$scripts/joint.py" --pack "$work/pack.zip" --out "$out" --index models/index.onnx --minutes "$minutes" --makers "${THREADS:-2}"
	nice -n 10 /usr/bin/python3 "$scripts/joint.py" --pack "$work/pack.zip" --out "$out" --index models/index.onnx --minutes "$minutes" --makers "${THREADS:-2}" --warm "$out" --nets index,face --covered
}
train_chips() { # on path-traced stacks and on those of drawn tables
	local each=512 few=200 sets=(pokersensei-stacks edje-pinochle nell-byler-dice rf100-poker-cards matteop65-dice epanemu-dice)
	if [ "$nth" -gt 1 ]; then each=16 few=16 sets=("${sets[@]:0:2}"); fi
	go run ./models/train/stacks -minutes "$minutes" -sides "$each" "$work/sides"
	go run ./models/train/stacks -drawn -seed 2 -minutes "$minutes" -sides "$each" "$work/sides"
	go run ./models/train/stacks -pictures -minutes "$minutes" -sides "$few" "$work/scenes"
	go run ./models/train/stacks -pictures -drawn -seed 2 -minutes "$minutes" -sides "$few" "$work/scenes"
	train sides.py --sides "$work/sides" --work "$work"
	train tops.py --scenes "$work/scenes" --work "$work"
	# of photographs: traced, as cameras in hands see them, and what is taken for a face and is none
	mkdir -p "$work/photo"
	ln -f "$work"/sides/1-*.npz "$work/photo/"
	go run ./models/train/stacks -held -seed 3 -low 1.8 -high 9 -minutes "$minutes" -sides "$each" "$work/photo"
	go run ./models/train/stacks -held -pictures -seed 3 -low 1.6 -high 4 -minutes "$minutes" -sides "$few" "$work/photo_scenes"
	train tops.py --photographs --scenes "$work/photo_scenes" --work "$work"
	if [ -d "$data/pokersensei-stacks" ]; then
		go run ./models/train/stacks -photographs "$work/photo" "${sets[@]/#/$data/}"
	fi
	train sides.py --photographs --sides "$work/photo" --work "$work"
}
train_cards
train dice.py "${traced[@]}"
train_pips
train_chips
/usr/bin/python3 "$scripts/check.py" "$out"
