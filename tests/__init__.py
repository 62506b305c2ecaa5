import atexit
import gc

# Tests make many objects that stay. To look for garbage among them less often saves a twelfth of the time of all tests,
# and not to look for it at the very end of a process, when all memory is returned anyway, saves a second of each.
gc.set_threshold(20_000, 50, 100)
atexit.register(gc.freeze)
