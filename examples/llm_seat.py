#!/usr/bin/env python3
"""A language model as a player: Railbird's lines on one side, any OpenAI-compatible HTTP endpoint on the other.

    export OPENAI_BASE_URL=http://127.0.0.1:8000/v1 OPENAI_MODEL=my-model OPENAI_API_KEY=...
    railbird match "lines:python3 examples/llm_seat.py" loki --hands 100 --duplicate --decision-seconds 60
    python3 examples/llm_seat.py --summary llm_seat.jsonl

More in the environment: LLM_SEAT_SECONDS for a decision, all tries together (by default 80% of --decision-seconds),
LLM_SEAT_TRIES (3), LLM_SEAT_AT_ONCE hands (8), LLM_SEAT_LOG (llm_seat.jsonl), LLM_SEAT_BODY more fields of a request as
JSON ({"temperature": 0}). Where no usable answer comes the seat checks or folds, which the log counts as a fallback.

Only the standard library is needed.
"""

import json
import os
import random
import statistics
import sys
import time
import urllib.error
import urllib.request

ADDRESS = os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1").rstrip("/") + "/chat/completions"
KEY, MODEL = os.environ.get("OPENAI_API_KEY", ""), os.environ.get("OPENAI_MODEL", "default")
LIMIT = float(os.environ.get("RAILBIRD_DECISION_SECONDS", "10"))
SECONDS, TRIES = float(os.environ.get("LLM_SEAT_SECONDS", 0.8 * LIMIT)), int(os.environ.get("LLM_SEAT_TRIES", "3"))
AT_ONCE, LOG = int(os.environ.get("LLM_SEAT_AT_ONCE", "8")), os.environ.get("LLM_SEAT_LOG", "llm_seat.jsonl")
BODY = json.loads(os.environ.get("LLM_SEAT_BODY", "{}"))
FIRST_PAUSE = 0.5
MOST_BYTES = 1_000_000
WORTH_ANOTHER_TRY = (408, 409, 425, 429)
RULES = (
    "You play poker and want to win as many chips as you can. Answer with your decision as one JSON object and nothing "
    'else: {"action": "fold"}, {"action": "check"}, {"action": "call"}, {"action": "bet", "to": 20} or {"action": '
    '"raise", "to": 40}, where "to" is what will lie before you on this street.'
)


class Unusable(Exception):
    """A try that led to nothing; whether another one may help."""

    def __init__(self, why, again=True):
        super().__init__(why)
        self.again = again


def body(response, until):
    """All of a response, unless it is too long or comes too slowly."""
    found = b""
    while part := response.read1(65536):
        found += part
        if len(found) > MOST_BYTES or time.monotonic() > until:
            raise Unusable("an answer too long, or too slow")
    return found


def request(messages, seconds):
    """What the endpoint answers, and the tokens used."""
    data = json.dumps({"model": MODEL, "messages": messages, **BODY}).encode()
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {KEY}"} if KEY else {})}
    try:
        with urllib.request.urlopen(urllib.request.Request(ADDRESS, data, headers), timeout=seconds) as response:
            found = json.loads(body(response, time.monotonic() + seconds))
            return str(found["choices"][0]["message"]["content"]), found.get("usage") or {}
    except urllib.error.HTTPError as error:
        raise Unusable(f"HTTP {error.code}", error.code >= 500 or error.code in WORTH_ANOTHER_TRY) from None
    except OSError as error:
        raise Unusable(f"{type(error).__name__}: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Unusable(f"no completion: {type(error).__name__}: {error}") from None


def decision_in(text, legal):
    """The decision in a model's answer, which may think aloud before it; refuses what is not legal."""
    start, end = text.rfind("{"), text.rfind("}")
    try:
        said = json.loads(text[start : end + 1])
        action = said["action"]
    except (ValueError, LookupError, TypeError):
        raise Unusable("no JSON object with an action in the answer") from None
    for each in legal:
        if each["action"] == action:
            if "least" not in each or each["least"] == each["most"]:
                return {"action": action}
            if type(said.get("to")) is int and each["least"] <= said["to"] <= each["most"]:
                return {"action": action, "to": said["to"]}
            raise Unusable(f'a {action} needs "to", a whole number from {each["least"]} to {each["most"]}')
    raise Unusable(f"{action!r} is not legal; legal: {', '.join(each['action'] for each in legal)}")


def decide(view, log, clock=time.monotonic, sleep=time.sleep):
    """What the model does, asked again while it may help and time is left; at last a check, or else a fold."""
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": view["words"]}]
    until, pause, why = clock() + SECONDS, FIRST_PAUSE, "not asked"
    for attempt in range(1, TRIES + 1):
        began, text, usage, why, again = clock(), "", {}, "", True
        try:
            text, usage = request(messages, max(0.1, until - began))
            found = decision_in(text, view["legal"])
        except Unusable as error:
            found, why, again = None, str(error), error.again
        entry = {"hand": view["hand"], "street": view["street"], "try": attempt, "seconds": round(clock() - began, 3)}
        tokens = {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage}
        log({"type": "request", **entry, **tokens, "why": why, "answer": text[-500:]})
        if found:
            return found, False
        if text:  # it spoke, and wrongly: say so, and ask at once
            messages = [*messages[:2], {"role": "assistant", "content": text[-2000:]}, {"role": "user", "content": why}]
            continue
        if not again or clock() + pause >= until:
            break
        sleep(pause * random.uniform(0.5, 1.0))
        pause *= 2
    print(f"hand {view['hand']}: no usable answer ({why}), so it checks or folds", file=sys.stderr, flush=True)
    free = any(each["action"] == "check" for each in view["legal"])
    return {"action": "check" if free else "fold"}, True


def main():
    def log(entry):
        with open(LOG, "a", encoding="utf-8") as file:
            file.write(json.dumps({"time": round(time.time(), 3), "model": MODEL, **entry}) + "\n")

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "hello", "protocol": "railbird-lines/1", "hands_at_once": AT_ONCE}), flush=True)
        elif message["type"] == "act":
            began = time.monotonic()
            answer, is_fallback = decide(message, log)
            seconds = round(time.monotonic() - began, 3)
            log({"type": "decision", "hand": message["hand"], "seconds": seconds, "fallback": is_fallback, **answer})
            print(json.dumps(answer), flush=True)


def summary(path):
    """What a log comes to."""
    with open(path, encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    decisions = [entry for entry in entries if entry["type"] == "decision"]
    requests = [entry for entry in entries if entry["type"] == "request"]
    fallbacks = sum(entry["fallback"] for entry in decisions)
    tokens = [sum(entry.get(name, 0) for entry in requests) for name in ("prompt_tokens", "completion_tokens")]
    times = sorted(entry["seconds"] for entry in decisions) or [0.0]
    print(f"{len(decisions)} decisions, {fallbacks} fallbacks, {len(requests)} requests")
    print(f"tokens: {tokens[0]} in, {tokens[1]} out")
    print(f"seconds a decision: median {statistics.median(times):.2f}, 95% {times[int(0.95 * (len(times) - 1))]:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--summary"]:
        try:
            summary(sys.argv[2] if len(sys.argv) > 2 else LOG)
        except (OSError, ValueError) as error:
            sys.exit(f"no log of this program: {error}")
    else:
        main()
