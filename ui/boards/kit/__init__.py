"""The kit of the boards: drawings and words that several boards share. A board gives only what is its own.
The styles of these parts are in assets/style/kit.css.

- `felt`: the element with everything on the felt, and the sheet that lies over it
- `sheet`: sheets over the table, the controls that open them and their close buttons
- `prompt`: the sentence of the question, and names in bold
- `lines`: lines of the log with names in place of seats, the latest event on the felt, values for lines
- `ledger`: the table of points or money by seat, with rows that explain its figures
- `rules_page`: the parts of the rules page
- `seats`: the name of a seat with its standing
"""
