#!/usr/bin/env bash
# Makes every shipped network again: models/*.onnx and models/manifest.json.
# Needs Debian's python3-torch, python3-onnx, python3-opencv, python3-pil,
# librsvg2-bin and some fonts (docs/models.md); ../shared/data is used if it is there.
#   MINUTES  per stage (default 20), THREADS (default 2)
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${VISION_SHARED:-../shared}/data
work=models/train/work
py="nice -n 10 /usr/bin/python3 models/train/card.py --threads ${THREADS:-2} --minutes ${MINUTES:-20} --data $data --out models"
go run ./models/train/decks "$work/own"
$py --seed 1
if [ -d "$data/rf100-poker-cards" ]; then # photographs that may train, cut out by the networks just made
	go run ./models/train/harvest -four "$data/rf100-poker-cards" "$work/photos/rf100"
	go run ./models/train/harvest "$data/edje-pinochle" "$work/photos/edje"
	cp "$work/card.pt" "$work/first.pt"
	rm -f "$work/card.pt"
	$py --seed 2 --start "$work/first.pt" --photos "$work/photos"
fi
nice -n 10 /usr/bin/python3 models/train/corner.py --threads "${THREADS:-2}" --minutes "${MINUTES:-20}" --data "$data" --out models --photos "$work/photos"
nice -n 10 /usr/bin/python3 models/train/dice.py --threads "${THREADS:-2}" --minutes "${MINUTES:-20}" --data "$data" --out models
