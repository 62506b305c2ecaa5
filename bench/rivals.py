"""The projects we compare with, each at random play through its documented interface. They are installed in an
environment of their own."""

from __future__ import annotations

import random
import time


def catanatron(games: int = 4) -> float:
    """Plays Settlers with four random players; returns decisions per CPU second."""
    from catanatron import Color, Game, RandomPlayer

    decisions = 0
    start = time.process_time()
    for seed in range(games):
        game = Game([RandomPlayer(color) for color in Color], seed=seed)
        game.play()
        state = game.state
        decisions += len(state.actions if hasattr(state, "actions") else state.action_records)
    return decisions / (time.process_time() - start)


def rlcard(name: str, games: int) -> float:
    """Plays games of rlcard with its random agents; returns decisions per CPU second."""
    import rlcard as package
    from rlcard.agents import RandomAgent

    random.seed(1)
    env = package.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    before = env.timestep  # counts on from game to game
    start = time.process_time()
    for _ in range(games):
        env.run(is_training=False)
    decisions = env.timestep - before
    return decisions / (time.process_time() - start)


def rlcard_bare(name: str, games: int) -> float:
    """Plays the same games without rlcard's environment: its game class alone, stepped by us."""
    if name == "uno":
        from rlcard.games.uno import Game

        game = Game(num_players=2)
    else:
        from rlcard.games.gin_rummy import Game

        game = Game()
    rnd = random.Random(1)
    decisions = 0
    start = time.process_time()
    for _ in range(games):
        game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions() if name == "uno" else game.judge.get_legal_actions()
            game.step(rnd.choice(list(legal)))
            decisions += 1
    return decisions / (time.process_time() - start)


RIVALS = {
    "catanatron 3.2": (catanatron, 12.0),
    "rlcard gin-rummy": (lambda: rlcard("gin-rummy", 20), 25.0),
    "rlcard uno": (lambda: rlcard("uno", 30), 7.0),
    "rlcard gin-rummy, game class only": (lambda: rlcard_bare("gin-rummy", 20), None),
    "rlcard uno, game class only": (lambda: rlcard_bare("uno", 60), None),
}
