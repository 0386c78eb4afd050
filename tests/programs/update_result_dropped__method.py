# expects: update-result-dropped at 19
import jax
import jax.numpy as jnp


class Board:
    def __init__(self, size):
        self.size = size

    def place(self, cells, row, column, piece):
        marked = cells.at[row, column].set(piece)
        return marked

    def play(self, moves):
        cells = jnp.zeros((self.size, self.size), int)
        piece = 1
        for row, column in moves:
            piece = -piece
            self.place(cells, row, column, piece)
        return cells


print(Board(3).play([(0, 0), (1, 1), (2, 0)]))
