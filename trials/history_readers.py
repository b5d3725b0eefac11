"""Readers of hands and of what is said over the wire: logs, histories, stores, replies."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path

import numpy as np
import polars as pl

from railbird.errors import RailbirdError
from railbird.formats import acpc_logs, table_replay
from railbird.formats.acpc import parse_record
from railbird.formats.hand_arrays import PROBLEM_KINDS, Problem
from railbird.formats.hand_logs import LogSource, read_logs
from railbird.formats.readers import format_named, format_of, hands_in
from railbird.formats.wire_lines import greeted_version
from railbird.game.record import HandRecord
from railbird.game.spec import (
    Game,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
)
from railbird.net.dealer_files import DealerBooks, parse_transaction
from railbird.net.dealer_table import DealtMatch, Table
from railbird.net.wire_seat import WireSeat
from railbird.play.folder import MatchFolder
from railbird.play.importing import import_hands
from railbird.play.match_logs import read_hands
from railbird.play.matches import play_match
from railbird.store.columns import SCHEMAS
from railbird.store.stats import stats_rows
from railbird.store.store_folder import (
    LeftOutHands,
    left_out_hands,
    note_left_out,
    opened_store,
    store_parts,
    write_part,
)
from railbird.store.store_reader import HandStore
from railbird.store.store_writer import packed
from trials.mutations import mutated_json
from trials.reading import Reader, all_ways, written

_LINES = (
    b"STATE:1:cc/rc/rc/crc:6sKs|5dJd/2sTh2h/Qh/8h:6|-6:Bob|Alice",
    b"STATE:0:crrrf:5d5c|9hQd:30|-30:p1|p2  # a remark",
    b"STATE:2:cr300c/cc/cr900f:Td9d|2c2d/8dAs8s/4h:300|-300:Ann|Bob",
    b"STATE:7:rrf:|2c7d:-6|6:Ann|Bob",
    b"STATE:4:cc/rc/rc/crc:6sKs|5dJd/2sTh2h/Qh/8h:57.5|-60:Bob|Alice",
    b"STATE:5:cfc/cc/cc/cc:JcQs|2d3c|3dTs/4hJh3h/4d/2h:-5|2.5|2.5:a|b|c",
    b"STATE:3:fcc/ccc/rff:5d5c|9hQd|2c3c/8dAs8s:-1|3|-2:a|b|c",
    b"# a comment",
    b"SCORE:-5|5:Ann|Bob",
)


def lines(folder: Path) -> Reader:
    games = (limit_holdem(), no_limit_holdem(3), leduc_poker())
    bots = ("random", "always-call", "always-raise")
    seeds = [*_LINES]
    for at, game in enumerate(games):
        play_match(*bots[: game.seats], game=game, hands=20, seed=1, progress=False, folder=folder / str(at))
        seeds += (folder / str(at) / "hands.log").read_bytes().splitlines()[2:-1]

    def read(data: bytes) -> None:
        line = data.decode(errors="replace")
        parse_record(line, games[int(line.count("|") >= 5)]).check(may_be_raked=len(data) % 2 == 0)

    return Reader(seeds, read)


def logs(folder: Path) -> Reader:
    path = folder / "some.log"

    def read(data: bytes) -> object:
        format_of(written(path, data))
        game = limit_holdem() if len(data) % 2 else None
        found = read_logs([LogSource(path, game)])
        with suppress(RailbirdError):
            found.refuse_unfair()
        assert (np.abs(found.fair_payoffs.sum(axis=1)) < 1e-6).all()
        return [found.record(at) for at in range(min(3, len(found)))], list(map(str, found.problems[:100]))

    header = b"# name/game/hands/seed some limit.game 3 0\n"
    plain = b"\n".join(_LINES[at] for at in (0, 1, 3, 4)) + b"\n"
    played = play_match("always-call", "always-raise", hands=30, seed=1, progress=False, folder=folder / "match")
    own = (folder / "match" / "hands.log").read_bytes()
    assert played.won.shape[1] == 30
    return Reader([header + plain, plain + b"SCORE:24|-24:Bob|Alice\n", own[:1000], b"\n".join(_LINES), own], read)


_MOST_DONE = 1_000
"""So many hands are remembered that were written and read well."""
_SAMPLES = Path(__file__).parents[1] / "tests" / "data"


def _history_reader(
    folder: Path,
    seeds: Sequence[bytes],
    games: Sequence[Game | None] = (None,),
    targets: Sequence[str] = ("acpc", "phhs"),
) -> Reader:
    """A reader of histories: what it takes can be written, if any format can, and is then read as the same."""
    path, again = folder / "some.txt", folder / "again.txt"
    done: set[HandRecord] = set()

    def read(data: bytes) -> object:
        found = list(hands_in(written(path, data), games[len(data) % len(games)]))
        for each in found:
            if isinstance(each, Problem):
                assert each.kind in PROBLEM_KINDS
                assert each.message.isprintable()
                continue
            if each in done:  # a neighbour of what was changed, as it was
                continue
            for name in targets:
                target = format_named(name)
                assert target.write is not None
                if not target.refuses(each):
                    text = "".join(target.write([each]))
                    [back] = hands_in(written(again, text.encode(errors="replace")))
                    assert isinstance(back, HandRecord), (name, text, back)
                    assert "".join(target.write([back])) == text, (name, text)
                    target.unsaid(each)
            if len(done) < _MOST_DONE:
                done.add(each)
        return len(found)

    return Reader(seeds, read)


def any_logs(folder: Path) -> Reader:
    """Competition logs of any game, half of them through the kernel that is for long ones."""
    header = b"# name/game/hands/seed some holdem.nolimit.3p.game 3 0\n"
    three = [line + b"\n" for line in (_LINES[5], _LINES[6])]
    sized = b"STATE:0:r300r900c/r2000c/cc/r20000c:Td9d|2c2d/8dAs8s/4h/5h:-20000|20000:Ann|Bob\n"
    leduc = b"STATE:0:crrc/cr:Qs|Ks/Ah:-3|3:Ann|Bob\nSTATE:1:cc/cc:Qs|Ks/Ah:-1|1:Ann|Bob\n"
    told = "".join(acpc_logs.write([parse_record(_LINES[6].decode(), limit_holdem(3))])).encode()
    folded = b"STATE:0:ffr300f:5d5c|9hQd|2c3c|:-50|100|0|-50:a|b|c|d\n"
    seeds = [header + b"".join(three), sized * 3, leduc, told, folded, b"".join(three) + _LINES[7] + b"\n" + _LINES[8]]
    reader = _history_reader(folder, seeds, (None, limit_holdem(3), no_limit_holdem(), leduc_poker()))

    def read(data: bytes) -> object:
        acpc_logs._FEW = 0 if len(data) % 3 else 1 << 16
        return reader.read(data)

    return Reader(seeds, read)


def captures(folder: Path) -> Reader:
    account = (_SAMPLES / "acpc" / "short.err").read_bytes()
    trace = (_SAMPLES / "acpc" / "short.player0.wire.txt").read_bytes()
    end = account[account.rindex(b"TO 1 at") - 600 :]
    return _history_reader(folder, [account[:1_800] + end, trace[:1_500], account[:1_500], trace[1_000:1_800]])


def phh(folder: Path) -> Reader:
    files = sorted((_SAMPLES / "phh").glob("*.phh"))
    hands = [file.read_bytes() for file in files]
    many = b"".join(b"[%d]\n%s\n\n" % (number, hand) for number, hand in enumerate(hands[:3], 1))
    cents = (
        b"variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [0.05, 0.10]\nmin_bet = 0.10\n"
        b"starting_stacks = [10, 4.37]\nactions = ['d dh p1 AcAd', 'd dh p2 ????', 'p2 cbr 0.35 # a raise', 'p1 cc', "
        b"'d db 2c3c4h', 'p1 cbr 9.65', 'p2 f']\nwinnings = [0.70, 0]\n_note = {a = [1, 'x'], b = \"y\"}\n"
        b"time = 12:00:00\n"
    )
    endless = cents.replace(b"[10, 4.37]", b"[inf, 1e3]").replace(b"winnings = [0.70, 0]\n", b"")
    return _history_reader(folder, [*hands[:4], many, cents, endless])


ROOM = b"""\
PokerStars Hand #17:  Hold'em No Limit ($0.05/$0.10 USD) - 2014/01/06 7:47:13 ET
Table 'Ann's' 6-max Seat #2 is the button
Seat 1: Bob: folds ($10.62 in chips)
Seat 2: Bob ($19.96 in chips)
Seat 4: $5 (big) ($3 in chips)
Seat 5: away ($7 in chips) is sitting out
$5 (big): posts small blind $0.05
Bob: folds: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Bob [Ah Kd]
Bob: raises $0.20 to $0.30
$5 (big): calls $0.25
watcher said, "Bob: folds"
Bob: folds: folds
*** FLOP *** [2s Th 2h]
$5 (big): bets $2.70 and is all-in
Bob: folds
Uncalled bet ($2.70) returned to $5 (big)
$5 (big) collected $0.67 from pot
*** SUMMARY ***
Total pot $0.70 | Rake $0.03
Board [2s Th 2h]
"""


OWN = b"""\
Bovada Hand #1 TBL#9 HOLDEM  Fixed Limit - 2012-04-01 12:00:00
Seat 1: Dealer [ME] ($200 in chips)
Seat 4: Big Blind ($180.50 in chips)
Dealer [ME] : Set dealer/Bring in spot [1]
Dealer [ME] : Ante/Small Blind $4
Big Blind : Big blind/Bring in $8
*** HOLE CARDS ***
Dealer [ME] : Card dealt to a spot [Ah Td]
Big Blind : Card dealt to a spot [9c 9s]
Dealer [ME] : Raises $16
Big Blind : Calls $8
Card dealt to table [Ac 7d 2s]
Big Blind : Checks
Dealer [ME] : Bets $8
Big Blind : Folds
Dealer [ME] : Return uncalled portion of bet $8
Dealer [ME] : Hand result $31
*** SUMMARY ***
Total Pot($32) | Rake ($1)
Board [Ac 7d 2s  ]
"""


NICKS = b"""\
766303976   1   455  4  4/40   2/60   2/100  2/140  3s Jc Qd 5c Ah
766303976 4 Ann Bob^ [x] dee|away
Ann         766303976  4  1 Bc  kf  -   -      653   10    0
Bob^        766303976  4  2 Bk  b   b   kc     900   60  140 Kd Kh
[x]         766303976  4  3 c   Q   -   -     1000   10    0
dee|away    766303976  4  4 c   c   c   b      500   60    0 Td 9d
"""


def rooms(name: str, good: bytes, folder: Path) -> Reader:
    """A room's text: hands of our own in it, and one with its oddities; half of the inputs go through the kernel."""
    games = (
        limit_holdem(3, small_bet=10, stack=60),
        no_limit_holdem(4, stack=500),
        limit_holdem(small_bet=4, stack=50),
    )
    seeds, write = [good, good * 2], format_named(name).write
    assert write is not None
    for at, game in enumerate(games):
        play_match(*["random"] * game.seats, game=game, hands=2, seed=2, progress=False, folder=folder / str(at))
        hands = [hand for hand in read_hands(folder / str(at)) if not format_named(name).refuses(hand)]
        seeds += ["".join(write(hands)).encode()] if hands else []
    reader = _history_reader(folder, seeds, targets=(name, "phhs"))

    def read(data: bytes) -> object:
        table_replay.patience = lambda: len(data) % 2 * 300
        return reader.read(data)

    return Reader(seeds, read)


def match_logs(folder: Path) -> Reader:
    path = folder / "match"
    play_match("always-call", "always-raise", hands=12, seed=1, progress=False, folder=path)
    log = path / "hands.log"
    own = log.read_bytes()
    fault = b"# hand 3: always-call raised: KeyError: 'flop' at odds.py:3 (settled as a check or fold)\n#   odds.py:3\n"
    first, second, rest = own.split(b"\n", 2)
    noted = b"\n".join([first, second, fault + rest])

    def read(data: bytes) -> object:
        written(log, data)
        return str(MatchFolder.open(path).result())

    return Reader([own, own[:500], noted], read)


def replies(_folder: Path) -> Reader:
    """What clients say to a dealer, in the middle of a hand of several games."""
    games = (limit_holdem(), no_limit_holdem(3), leduc_poker())
    matches = [DealtMatch("m", "g", game, 3, 1, ("a", "b", "c")[: game.seats]) for game in games]

    def read(data: bytes) -> object:
        table = Table(matches[len(data) % len(matches)], DealerBooks("", log=False), lambda: 0.0)
        table.begin()
        shown = table.outboxes[table.seat][-1].encode()
        greeted_version(data)
        for line in data.replace(b"#", shown, 1).splitlines(keepends=True)[:20]:
            if not table.is_over:
                table.hear(line)
        return table.notes

    seeds = [b"#:c\r\n", b"#:r300\r\n", b"#:f\n", b"MATCHSTATE:1:0::|9hQd:c\r\n", b"VERSION:2.0.0\n", b"; so\n#:r\n"]
    return Reader([*seeds, b"MATCHSTATE:0:2:CrK:aH8S/qd7H6c:c", b"MATCHSTATE:1:0:c:|Ah8s|:r1000\r\n"], read)


def states(_folder: Path) -> Reader:
    """What a dealer says to a bot."""
    seats = [WireSeat("always-call", game) for game in (limit_holdem(), no_limit_holdem())]

    def read(data: bytes) -> object:
        seat = copy(seats[len(data) % len(seats)])
        return seat.hear(data.split(b"\n"))

    hand = b"MATCHSTATE:0:2::Ah8s|\r\nMATCHSTATE:0:2:c:Ah8s|\r\nMATCHSTATE:0:2:cc/:Ah8s|/Qd7h6c\r\n"
    rest = b"MATCHSTATE:0:2:cc/cc/cc/cc:Ah8s|2h4c/Qd7h6c/4s/Jc\r\nMATCHSTATE:1:3::|6hJd\r\n"
    return Reader([hand, hand + rest, b"MATCHSTATE:1:7:c:|2c2d|", b"; so\n" + hand], read)


def transactions(_folder: Path) -> Reader:
    match = DealtMatch("m", "g", no_limit_holdem(), 3, 1, ("a", "b"))

    def read(data: bytes) -> object:
        past = map(parse_transaction, data.splitlines(keepends=True))
        table = Table(match, DealerBooks("", log=False), lambda: 0.0)
        table.begin(past)
        return table.totals

    first = b"r300 0 1341695999.222346 1341695999.222410\nc 0 1341695999.222346 1341695999.222410\n"
    return Reader([first, first + b"f 0 1341695999.222346 1341695999.222410\n", b"f 0 1.000000 2.000000\n"], read)


def stores(folder: Path) -> Reader:
    """Tables of a hand store whose cells were changed; what was changed in a file itself its checksum tells."""
    play_match("always-call", "random", hands=4, seed=1, progress=False, folder=folder / "match")
    import_hands(folder / "match", folder / "store", progress=False)
    (part,) = store_parts(folder / "store")
    tables = {table: pl.read_parquet(part.file(table), hive_partitioning=False) for table in part.files}
    path, count = folder / "changed", itertools.count()

    def read(data: bytes) -> object:
        try:
            told = json.loads(data)
            changed = {name: pl.DataFrame(told[name], SCHEMAS[name], strict=True) for name in ("hands", "seats")}
            content = {"actions": packed(tables["actions"]), **{name: packed(each) for name, each in changed.items()}}
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError, pl.exceptions.PolarsError):
            raise RailbirdError("no tables") from None
        store = path / str(next(count))
        try:
            with opened_store(store):
                write_part(store, "acpc", content)
            found = HandStore(store)
            all_ways(
                lambda: stats_rows(found, ["player", "position"]), lambda: found.rules(), lambda: list(found.records())
            )
            return [record.rake for record in found.records()]
        finally:
            shutil.rmtree(store)

    own = {name: tables[name].to_dicts() for name in ("hands", "seats")}
    return Reader([json.dumps(own).encode()], read, mutated_json)


def left_out(folder: Path) -> Reader:
    note_left_out(folder, [], [LeftOutHands("a.txt", "cards", 3, 17, "hand 5: Ad twice")])
    path = folder / "left_out.json"
    return Reader([path.read_bytes()], lambda data: written(path, data) and left_out_hands(folder), mutated_json)
