"""Everything in Railbird that reads bytes or text from outside, each with good inputs and what is done with them.

A reader is made in a folder of its own. It has good inputs, from which bad ones are made, and reads an input as a
command would: it gives a value or raises a `RailbirdError`.
"""

from __future__ import annotations

import importlib.metadata
import json
import lzma
import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np

from railbird.assess import packed_tables
from railbird.assess.mivat import Mivat, shipped_mivat
from railbird.bots.programs import bot_spec
from railbird.bots.registry import bot_entries
from railbird.cache import tables_header
from railbird.cards import parse_board, parse_cards, parse_holding
from railbird.files import map_tables, write_tables
from railbird.formats.acpc import game_text
from railbird.formats.games import game_in_file, read_game
from railbird.formats.seat_lines import read_answer, read_hello
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import (
    Game,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    spread_limit_holdem,
)
from railbird.game.view import PlayerView
from railbird.kernels.cards import splitmix
from railbird.kernels.kernel_cache import KernelCache
from railbird.modeling.context_tree import ContextTree
from railbird.odds.ranges import parse_range
from railbird.play.choices import answer
from railbird.play.comparison_folder import MANIFEST as COMPARISON
from railbird.play.comparison_folder import read_comparison
from railbird.play.folder import MatchFolder, folder_game
from railbird.play.gain_tests import DECISION, TEST, read_gain_test
from railbird.play.gauntlet import GAUNTLET, GauntletRun, read_gauntlet, run_gauntlet
from railbird.play.manifest import MANIFEST, manifest_of, refuse_others
from railbird.play.match import MatchSpec
from railbird.play.matches import compare_bots, find_gain, play_match, play_tournament
from railbird.play.person import UNFINISHED, KeptDecisions
from railbird.play.promises import PROMISES, read_promises
from railbird.play.tournament import TOURNAMENT, read_tournament
from railbird.report.experiments import SUMMARY, summary_in
from railbird.solve.abstraction import Abstraction
from railbird.solve.strategy import Strategy
from railbird.solve.train import Training
from railbird.web.explore import situation
from railbird.web.playing import read_message
from railbird.web.runs import read_run, runs_in
from railbird.web.table_files import SCHEMA, TABLE, TableFile
from railbird.web.uploads import keep_upload, read_upload, uploads_in
from trials import history_readers
from trials.mutations import mutated_archive, mutated_json, mutated_tables
from trials.reading import Reader, all_ways, text_of, written


def _cards(_folder: Path) -> Reader:
    def read(data: bytes) -> None:
        all_ways(*(partial(parse, text_of(data)) for parse in (parse_cards, parse_board, parse_holding)))

    return Reader([b"AdQc", b"3h4cJh", "3♥, 4c 10h".encode(), b"2c 2d 2h 2s Kc", b"AdAd"], read)


def _ranges(_folder: Path) -> Reader:
    seeds = [b"QQ+, AKs, 76s-54s, KdQd, AJo:0.5", b"40%", b"any", b"A2s+:50% ; TT-77:1e-3", b"AK:999999", b"none"]
    return Reader(seeds, lambda data: parse_range(text_of(data)))


def _games(_folder: Path) -> Reader:
    def read(data: bytes) -> None:
        all_ways(*(partial(read_game, text_of(data).removesuffix(".game"), seats) for seats in (2, 3)))

    seeds = [b"limit:cap=3,ante=1", b"no-limit:stack=5000,small_blind=1,big_blind=2", b"kuhn", b"leduc"]
    more = [
        b"spread-limit:smallest=2,largest=10,cap=none",
        b"pot-limit:ante=5",
        b"limit:small_bet=10:reverse_blinds=no",
    ]
    return Reader([*seeds, *more], read)


def _game_files(folder: Path) -> Reader:
    path = folder / "some.game"
    games = (limit_holdem(), limit_holdem(3), no_limit_holdem(), no_limit_holdem(3), kuhn_poker(), leduc_poker())
    return Reader([game_text(game).encode() for game in games], lambda data: game_in_file(written(path, data), "some"))


def _bots(_folder: Path) -> Reader:
    slow = {"vexbot", "vexbot2", "equilibrium", "sparbot"}
    names = [name for name in bot_entries() if name not in slow]
    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)  # which looks through all packages

    def read(data: bytes) -> object:
        text = text_of(data)
        spec = bot_spec(text)
        if ".py" in text or spec.is_program:  # it would run what it finds
            return spec.label
        return spec.label, spec.fingerprint(), spec.make() if spec.label.partition("(")[0] not in slow else None

    seeds = [b"random:fold=0,call=1,raise=1", b"loki:tightness=tight", b"switcher:every=100,styles=always-raise+jagbot"]
    more = [
        b"./program:learns=yes,start=60",
        b"lines:python3 'my caller.py' --model=a/b",
        b"./mybot.py:MyBot:boldness=0.7",
        b"yoki-tight:fold_below=0.6,bet_above=0.85",
        b"loki:income_shift=-200",
    ]
    return Reader([*seeds, *more, *(name.encode() for name in names)], read)


def _seat_lines(_folder: Path) -> Reader:
    nodes = [
        Betting.start(game).play(history) for game, history in ((limit_holdem(), "cr"), (no_limit_holdem(), "cc/"))
    ]

    def read(data: bytes) -> None:
        all_ways(partial(read_hello, data), *(partial(read_answer, data, node) for node in nodes))

    seeds = [b'{"action": "call"}', b'{"action": "raise", "to": 6}', b'{"action": "bet", "to": 300}']
    hello = b'{"type": "hello", "protocol": "railbird-lines/1", "learns": true, "hands_at_once": 8}'
    return Reader([*seeds, hello], read)


_GAMES: tuple[Game, ...] = (
    limit_holdem(),
    limit_holdem(cap=None),
    limit_holdem(6),
    no_limit_holdem(),
    no_limit_holdem(3, ante=7),
    pot_limit_holdem(),
    spread_limit_holdem(4),
    leduc_poker(),
)


def _histories(_folder: Path) -> Reader:
    tree = BettingTree.of(limit_holdem())

    def read(data: bytes) -> None:
        text = text_of(data)
        game = _GAMES[len(data) % len(_GAMES)]
        all_ways(*(partial(what, text) for what in (tree.node, Action.parse, Betting.start(game).play)))

    return Reader(
        [b"crrc/cr", b"cr300c/cr900f", b"rrf", b"ccccc/r", b"fffr200r20000c/", b"cc/cc/cc/cc", b"r6r12"], read
    )


def _answers(_folder: Path) -> Reader:
    starts = [Betting.start(game) for game in _GAMES]
    views = [PlayerView(start, start.to_act, (0, 5), (), 0, ("Ann", "Bob")) for start in starts]

    def read(data: bytes) -> object:
        return answer(views[len(data) % len(views)], text_of(data))

    return Reader([b"f", b"call", b"r 300", b"raise to 400", b"r pot", b"ff", b"bet max", b"check"], read)


def _manifests(folder: Path) -> Reader:
    path, second = folder / "match", folder / "table"
    play_match("always-call", "always-raise", hands=5, seed=1, progress=False, folder=path)
    play_match(
        "always-call", "random", "always-raise", game="no-limit", hands=5, duplicate=True, progress=False, folder=second
    )
    spec = MatchSpec(limit_holdem(), ("always-call", "always-raise"), 5, 1)
    seeds = [(each / MANIFEST).read_bytes() for each in (path, second)]

    def read(data: bytes) -> object:
        written(path / MANIFEST, data)
        opened = MatchFolder.open(path)
        refuse_others(json.loads(data), manifest_of(spec), path)
        folder_game(path)
        return opened.result().to_json()

    return Reader(seeds, read, mutated_json)


def _tournaments(folder: Path) -> Reader:
    path = folder / "tournament"
    play_tournament("always-call", "always-raise", "random", hands=4, progress=False, folder=path)
    manifest = path / "01-02" / MANIFEST
    whole = manifest.read_bytes()
    other = json.dumps({**json.loads(whole), "hands": 2}).encode()
    own = (path / TOURNAMENT).read_bytes()

    def read(data: bytes) -> object:
        written(manifest, other if len(data) % 7 == 0 else whole)
        written(path / TOURNAMENT, data)
        return read_tournament(path).to_json()

    return Reader([own], read, mutated_json)


def _comparisons(folder: Path) -> Reader:
    path = folder / "comparison"
    compare_bots("always-call", "always-raise", ["random", "always-fold"], hands=4, progress=False, folder=path)
    own = (path / COMPARISON).read_bytes()

    def read(data: bytes) -> object:
        written(path / COMPARISON, data)
        return read_comparison(path).to_json()

    return Reader([own], read, mutated_json)


def _tests(folder: Path) -> Reader:
    path = folder / "test"
    find_gain("always-fold", "always-call", "always-raise", gain=0.5, hands=100, progress=False, folder=path)
    own = {name: (path / name).read_bytes() for name in (TEST, DECISION)}

    def read(data: bytes) -> object:
        for name, whole in own.items():
            is_told = (b"decision" in data) == (name == DECISION)
            written(path / name, data if is_told else whole)
        return read_gain_test(path).to_json()

    return Reader(list(own.values()), read, mutated_json)


def _rings(folder: Path) -> Reader:
    path = folder / "ring"
    play_tournament(
        "always-call", "always-raise", "random", "always-fold", seats=3, hands=4, progress=False, folder=path
    )
    own = (path / TOURNAMENT).read_bytes()

    def read(data: bytes) -> object:
        written(path / TOURNAMENT, data)
        return read_tournament(path).to_json()

    return Reader([own], read, mutated_json)


def _gauntlets(folder: Path) -> Reader:
    path = folder / "gauntlet"
    run_gauntlet(path, GauntletRun("always-call", 4))
    own = (path / GAUNTLET).read_bytes()

    def read(data: bytes) -> object:
        written(path / GAUNTLET, data)
        return read_gauntlet(path).to_json()

    return Reader([own], read, mutated_json)


def _small_training() -> Training:
    abstraction = {"method": "ehs", "counts": np.array([169, 1, 1, 2]), "river": np.array([[0.5]])}
    return Training(Abstraction(abstraction), limit_holdem(cap=1), seed=3)


def _strategies(folder: Path) -> Reader:
    path = folder / "strategy.npz"
    _small_training().strategy().save(path)
    return Reader([path.read_bytes()], lambda data: Strategy.load(written(path, data)), mutated_archive)


def _checkpoints(folder: Path) -> Reader:
    path = folder / "strategy.npz.checkpoint"
    _small_training().save(path)
    return Reader([path.read_bytes()], lambda data: Training.load(written(path, data)), mutated_archive)


def _tables(folder: Path) -> Reader:
    path = folder / "tables.bin"
    tables = {"a": np.arange(12, dtype=np.int16).reshape(3, 4), "b": np.zeros(3)}
    write_tables(path, "tables", 1, tables)

    def read(data: bytes) -> object:
        tables_header(written(path, data))
        return map_tables(path, "tables", 1, "again")

    return Reader([path.read_bytes()], read, mutated_tables)


def _models(folder: Path) -> Reader:
    path = folder / "model"
    tree = BettingTree.of(limit_holdem(cap=1))
    ContextTree(tree).save(path)
    own = path.read_bytes()
    return Reader([own], lambda data: ContextTree.load(written(path, data), tree), mutated_tables)


def _coefficients(folder: Path) -> Reader:
    path = folder / "own.json"
    own = json.dumps(shipped_mivat().to_json()).encode()
    return Reader([own], lambda data: Mivat.load(written(path, data)), mutated_json)


def _packed(folder: Path) -> Reader:
    path, content = folder / "packed.xz", bytes(range(256)) * 4
    seeds = [lzma.compress(content, preset=1), lzma.compress(bytes(10_000_000), preset=1)]
    return Reader(seeds, lambda data: packed_tables.unpacked(written(path, data), len(content)))


def _decisions(folder: Path) -> Reader:
    view = PlayerView(Betting.start(limit_holdem()), 1, (0, 5), (), 3, ("Ann", "Bob"))
    own = json.dumps({"hand": 3, "decisions": {"": "r", "rr": "c", "rrc/": "r300"}}).encode()

    def read(data: bytes) -> object:
        written(folder / UNFINISHED, data)
        return KeptDecisions(folder).decision(view)

    return Reader([own], read, mutated_json)


def _promises(folder: Path) -> Reader:
    line = {"hand": 3, "promise": "ab" * 32, "nonce": "cd" * 32, "cards": "AhKd2c3c4c5s6s7s8s"}

    def read(data: bytes) -> object:
        written(folder / PROMISES, data)
        return read_promises(folder)

    return Reader([json.dumps(line).encode() + b"\n"], read, mutated_json)


def _table_files(folder: Path) -> Reader:
    person = {"seat": 0, "name": "you", "link": "", "user": "ab" * 32}
    told = {"schema": SCHEMA, "id": "0123456789", "people": [person], "study": False, "reveal": False}
    own = json.dumps({**told, "seconds": 60, "closed": False}).encode()

    def read(data: bytes) -> object:
        written(folder / TABLE, data)
        return TableFile.read(folder)

    return Reader([own], read, mutated_json)


def _messages(folder: Path) -> Reader:
    seeds = [b'{"do":"act","ask":"3/rrc/","words":"r 300"}', b'{"do":"next","hand":3}', b'{"do":"look","on":true}']
    return Reader(seeds, lambda data: read_message(data.decode(errors="replace")), mutated_json)


def _summaries(folder: Path) -> Reader:
    told = {
        "schema": "railbird.experiment-folder/1",
        "experiment": "x",
        "size": 100,
        "seed": 1,
        "verdict": "reproduced",
    }
    return Reader([json.dumps(told).encode()], lambda data: summary_in(written(folder / SUMMARY, data)), mutated_json)


def _uploads(folder: Path) -> Reader:
    kept, _ = keep_upload(folder, "hands.txt", b"some hands", "a" * 32)
    own = (kept.folder / "upload.json").read_bytes()

    def read(data: bytes) -> object:
        written(kept.folder / "upload.json", data)
        return read_upload(folder, kept.digest), uploads_in(folder)

    return Reader([own], read, mutated_json)


def _runs(folder: Path) -> Reader:
    told = {"schema": "railbird.run/1", "arguments": ["match", "a", "b"], "pid": 99, "began": "2026-11-16T12:00:00"}
    file = folder / "runs" / "one" / "run.json"
    file.parent.mkdir(parents=True)

    def read(data: bytes) -> object:
        written(file, data)
        run = read_run(folder, "one")
        return run.command, run.output(), runs_in(folder)

    return Reader([json.dumps(told).encode()], read, mutated_json)


def _situations(_folder: Path) -> Reader:
    def read(data: bytes) -> object:
        asked = situation(dict(parse_qsl(text_of(data), keep_blank_values=True)))
        return asked, asked.wanted

    return Reader([b"cards=AdQc&board=3h4cJh&versus=QQ%2B%2CAKs&history=cc%2Fr&seats=2", b"cards=Ad&seats=10"], read)


def _kernels(folder: Path) -> Reader:
    """Compiled code that was damaged is not run: it is compiled again."""
    kernel = splitmix.mix
    kernel(np.uint64(1))
    kept = kernel._cache
    assert isinstance(kept, KernelCache)
    (signature,) = kernel.overloads
    own = folder / "kernels"
    shutil.copytree(kept.cache_path, own)
    cache = KernelCache(kernel.py_func)
    name = Path(kept._cache_file._index_path).name
    cache._cache_file._cache_path, cache._cache_file._index_path = str(own), str(own / name)
    files = [own / name, *own.glob(f"{name.removesuffix('.nbi')}.*.nbc")]
    seeds = [file.read_bytes() for file in files]
    context = kernel.targetdescr.target_context

    def read(data: bytes) -> object:
        file = files[len(data) % len(files)]
        before = seeds[len(data) % len(files)]
        if data == before:
            return None
        written(file, data)
        try:
            if (found := cache.load_overload(signature, context)) is not None:
                raise AssertionError(f"damaged code was taken: {found}")
        finally:
            written(file, before)
        return None

    return Reader(seeds, read)


READERS: dict[str, Callable[[Path], Reader]] = {
    "uploads": _uploads,
    "runs": _runs,
    "situations": _situations,
    "cards": _cards,
    "ranges": _ranges,
    "games": _games,
    "game-files": _game_files,
    "bots": _bots,
    "histories": _histories,
    "answers": _answers,
    "seat-lines": _seat_lines,
    "lines": history_readers.lines,
    "logs": history_readers.logs,
    "any-logs": history_readers.any_logs,
    "captures": history_readers.captures,
    "phh": history_readers.phh,
    "pokerstars": partial(history_readers.rooms, "pokerstars", history_readers.ROOM),
    "bovada": partial(history_readers.rooms, "bovada", history_readers.OWN),
    "irc": partial(history_readers.rooms, "irc", history_readers.NICKS),
    "match-logs": history_readers.match_logs,
    "manifests": _manifests,
    "tournaments": _tournaments,
    "rings": _rings,
    "comparisons": _comparisons,
    "tests": _tests,
    "gauntlets": _gauntlets,
    "strategies": _strategies,
    "checkpoints": _checkpoints,
    "tables": _tables,
    "models": _models,
    "coefficients": _coefficients,
    "packed-tables": _packed,
    "decisions": _decisions,
    "promises": _promises,
    "table-files": _table_files,
    "messages": _messages,
    "summaries": _summaries,
    "kernels": _kernels,
    "replies": history_readers.replies,
    "states": history_readers.states,
    "transactions": history_readers.transactions,
    "stores": history_readers.stores,
    "left-out": history_readers.left_out,
}
"""By name."""
