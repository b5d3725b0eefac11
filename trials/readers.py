"""Everything in Railbird that reads bytes or text from outside, each with good inputs and what is done with them.

A reader is made in a folder of its own. It has good inputs, from which bad ones are made, and reads an input as a
command would: it gives a value or raises a `RailbirdError`.
"""

from __future__ import annotations

import importlib.metadata
import json
import lzma
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np

from railbird.assess import packed_tables
from railbird.bots.registry import BotSpec, bot_entries
from railbird.cache import tables_header
from railbird.cards import parse_board, parse_cards, parse_holding
from railbird.errors import RailbirdError
from railbird.files import map_tables, write_tables
from railbird.formats.acpc import game_text, parse_record
from railbird.formats.games import game_in_file, read_game
from railbird.formats.hand_logs import LogSource, read_logs
from railbird.formats.readers import reader_of
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
from railbird.play.tournament import TOURNAMENT, read_tournament
from railbird.report.experiments import SUMMARY, summary_in
from railbird.solve.abstraction import Abstraction
from railbird.solve.strategy import Strategy
from railbird.solve.train import Training
from trials.mutations import mutated, mutated_archive, mutated_json, mutated_tables

Mutation = Callable[[Random, Sequence[bytes]], bytes]


@dataclass(frozen=True)
class Reader:
    """Something that reads."""

    seeds: Sequence[bytes]
    """Good inputs."""
    read: Callable[[bytes], object]
    mutated: Mutation = mutated
    """A bad input, from good ones."""


def _text(data: bytes) -> str:
    """Bytes as Python takes them from the command line."""
    return data.decode(errors="surrogateescape")


def _all(*calls: Callable[[], object]) -> None:
    """Read in several ways, whether or not one refuses; what the last refuses is raised."""
    for call in calls[:-1]:
        with suppress(RailbirdError):
            call()
    calls[-1]()


def _cards(_folder: Path) -> Reader:
    def read(data: bytes) -> None:
        _all(*(partial(parse, _text(data)) for parse in (parse_cards, parse_board, parse_holding)))

    return Reader([b"AdQc", b"3h4cJh", "3♥, 4c 10h".encode(), b"2c 2d 2h 2s Kc", b"AdAd"], read)


def _ranges(_folder: Path) -> Reader:
    seeds = [b"QQ+, AKs, 76s-54s, KdQd, AJo:0.5", b"40%", b"any", b"A2s+:50% ; TT-77:1e-3", b"AK:999999", b"none"]
    return Reader(seeds, lambda data: parse_range(_text(data)))


def _games(_folder: Path) -> Reader:
    def read(data: bytes) -> None:
        _all(*(partial(read_game, _text(data).removesuffix(".game"), seats) for seats in (2, 3)))

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
    return Reader([game_text(game).encode() for game in games], lambda data: game_in_file(_written(path, data), "some"))


def _bots(_folder: Path) -> Reader:
    slow = {"vexbot", "vexbot2", "equilibrium", "sparbot"}
    names = [name for name in bot_entries() if name not in slow]
    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)  # which looks through all packages

    def read(data: bytes) -> object:
        text = _text(data)
        spec = BotSpec(text)
        if ".py" in text:  # it would run what it finds
            return spec.label
        return spec.label, spec.fingerprint(), spec.make() if spec.label.partition("(")[0] not in slow else None

    seeds = [b"random:fold=0,call=1,raise=1", b"loki:tightness=tight", b"switcher:every=100,styles=always-raise+jagbot"]
    more = [b"./mybot.py:MyBot:boldness=0.7", b"yoki-tight:fold_below=0.6,bet_above=0.85", b"loki:income_shift=-200"]
    return Reader([*seeds, *more, *(name.encode() for name in names)], read)


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
        text = _text(data)
        game = _GAMES[len(data) % len(_GAMES)]
        _all(*(partial(what, text) for what in (tree.node, Action.parse, Betting.start(game).play)))

    return Reader(
        [b"crrc/cr", b"cr300c/cr900f", b"rrf", b"ccccc/r", b"fffr200r20000c/", b"cc/cc/cc/cc", b"r6r12"], read
    )


def _answers(_folder: Path) -> Reader:
    starts = [Betting.start(game) for game in _GAMES]
    views = [PlayerView(start, start.to_act, (0, 5), (), 0, ("Ann", "Bob")) for start in starts]

    def read(data: bytes) -> object:
        return answer(views[len(data) % len(views)], _text(data))

    return Reader([b"f", b"call", b"r 300", b"raise to 400", b"r pot", b"ff", b"bet max", b"check"], read)


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


def _lines(folder: Path) -> Reader:
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


def _logs(folder: Path) -> Reader:
    path = folder / "some.log"

    def read(data: bytes) -> object:
        reader_of(_written(path, data))
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


def _match_logs(folder: Path) -> Reader:
    path = folder / "match"
    play_match("always-call", "always-raise", hands=12, seed=1, progress=False, folder=path)
    log = path / "hands.log"
    own = log.read_bytes()
    fault = b"# hand 3: always-call raised: KeyError: 'flop' at odds.py:3 (settled as a check or fold)\n#   odds.py:3\n"
    first, second, rest = own.split(b"\n", 2)
    noted = b"\n".join([first, second, fault + rest])

    def read(data: bytes) -> object:
        _written(log, data)
        return str(MatchFolder.open(path).result())

    return Reader([own, own[:500], noted], read)


def _manifests(folder: Path) -> Reader:
    path, second = folder / "match", folder / "table"
    play_match("always-call", "always-raise", hands=5, seed=1, progress=False, folder=path)
    play_match(
        "always-call", "random", "always-raise", game="no-limit", hands=5, duplicate=True, progress=False, folder=second
    )
    spec = MatchSpec(limit_holdem(), ("always-call", "always-raise"), 5, 1)
    seeds = [(each / MANIFEST).read_bytes() for each in (path, second)]

    def read(data: bytes) -> object:
        _written(path / MANIFEST, data)
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
        _written(manifest, other if len(data) % 7 == 0 else whole)
        _written(path / TOURNAMENT, data)
        return read_tournament(path).to_json()

    return Reader([own], read, mutated_json)


def _comparisons(folder: Path) -> Reader:
    path = folder / "comparison"
    compare_bots("always-call", "always-raise", ["random", "always-fold"], hands=4, progress=False, folder=path)
    own = (path / COMPARISON).read_bytes()

    def read(data: bytes) -> object:
        _written(path / COMPARISON, data)
        return read_comparison(path).to_json()

    return Reader([own], read, mutated_json)


def _tests(folder: Path) -> Reader:
    path = folder / "test"
    find_gain("always-call", "random", "always-raise", gain=0.5, hands=400, progress=False, folder=path)
    own = {name: (path / name).read_bytes() for name in (TEST, DECISION)}

    def read(data: bytes) -> object:
        for name, whole in own.items():
            is_told = (b"decision" in data) == (name == DECISION)
            _written(path / name, data if is_told else whole)
        return read_gain_test(path).to_json()

    return Reader(list(own.values()), read, mutated_json)


def _rings(folder: Path) -> Reader:
    path = folder / "ring"
    play_tournament(
        "always-call", "always-raise", "random", "always-fold", seats=3, hands=4, progress=False, folder=path
    )
    own = (path / TOURNAMENT).read_bytes()

    def read(data: bytes) -> object:
        _written(path / TOURNAMENT, data)
        return read_tournament(path).to_json()

    return Reader([own], read, mutated_json)


def _gauntlets(folder: Path) -> Reader:
    path = folder / "gauntlet"
    run_gauntlet(path, GauntletRun("always-call", 4))
    own = (path / GAUNTLET).read_bytes()

    def read(data: bytes) -> object:
        _written(path / GAUNTLET, data)
        return read_gauntlet(path).to_json()

    return Reader([own], read, mutated_json)


def _small_training() -> Training:
    abstraction = {"method": "ehs", "counts": np.array([169, 1, 1, 2]), "river": np.array([[0.5]])}
    return Training(Abstraction(abstraction), limit_holdem(cap=1), seed=3)


def _strategies(folder: Path) -> Reader:
    path = folder / "strategy.npz"
    _small_training().strategy().save(path)
    return Reader([path.read_bytes()], lambda data: Strategy.load(_written(path, data)), mutated_archive)


def _checkpoints(folder: Path) -> Reader:
    path = folder / "strategy.npz.checkpoint"
    _small_training().save(path)
    return Reader([path.read_bytes()], lambda data: Training.load(_written(path, data)), mutated_archive)


def _tables(folder: Path) -> Reader:
    path = folder / "tables.bin"
    tables = {"a": np.arange(12, dtype=np.int16).reshape(3, 4), "b": np.zeros(3)}
    write_tables(path, "tables", 1, tables)

    def read(data: bytes) -> object:
        tables_header(_written(path, data))
        return map_tables(path, "tables", 1, "again")

    return Reader([path.read_bytes()], read, mutated_tables)


def _models(folder: Path) -> Reader:
    path = folder / "model"
    tree = BettingTree.of(limit_holdem(cap=1))
    ContextTree(tree).save(path)
    own = path.read_bytes()
    return Reader([own], lambda data: ContextTree.load(_written(path, data), tree), mutated_tables)


def _packed(folder: Path) -> Reader:
    path, content = folder / "packed.xz", bytes(range(256)) * 4
    seeds = [lzma.compress(content, preset=1), lzma.compress(bytes(10_000_000), preset=1)]
    return Reader(seeds, lambda data: packed_tables.unpacked(_written(path, data), len(content)))


def _decisions(folder: Path) -> Reader:
    view = PlayerView(Betting.start(limit_holdem()), 1, (0, 5), (), 3, ("Ann", "Bob"))
    own = json.dumps({"hand": 3, "decisions": {"": "r", "rr": "c", "rrc/": "r300"}}).encode()

    def read(data: bytes) -> object:
        _written(folder / UNFINISHED, data)
        return KeptDecisions(folder).decision(view)

    return Reader([own], read, mutated_json)


def _summaries(folder: Path) -> Reader:
    told = {
        "schema": "railbird.experiment-folder/1",
        "experiment": "x",
        "size": 100,
        "seed": 1,
        "verdict": "reproduced",
    }
    return Reader([json.dumps(told).encode()], lambda data: summary_in(_written(folder / SUMMARY, data)), mutated_json)


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
        _written(file, data)
        try:
            if (found := cache.load_overload(signature, context)) is not None:
                raise AssertionError(f"damaged code was taken: {found}")
        finally:
            _written(file, before)
        return None

    return Reader(seeds, read)


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


READERS: dict[str, Callable[[Path], Reader]] = {
    "cards": _cards,
    "ranges": _ranges,
    "games": _games,
    "game-files": _game_files,
    "bots": _bots,
    "histories": _histories,
    "answers": _answers,
    "lines": _lines,
    "logs": _logs,
    "match-logs": _match_logs,
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
    "packed-tables": _packed,
    "decisions": _decisions,
    "summaries": _summaries,
    "kernels": _kernels,
}
"""By name."""
