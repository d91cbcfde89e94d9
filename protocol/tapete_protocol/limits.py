"""Bounds on everything that travels, each with its unit in its name. What the structs themselves bound is not here."""

from __future__ import annotations

SUBPROTOCOL = "tapete.v1"

COMMAND_BYTES_MAX = 4096
"""A whole command frame."""
COMMAND_STR_BYTES_MAX = 4096
COMMAND_BIN_BYTES_MAX = 64
COMMAND_ARRAY_ITEMS_MAX = 32
COMMAND_MAP_FIELDS_MAX = 32

FRAME_BYTES_MAX = 1 << 20
"""A whole frame from a node; the largest is a lobby or a snapshot."""
FRAME_STR_BYTES_MAX = 64 * 1024
FRAME_BIN_BYTES_MAX = 64 * 1024
FRAME_ARRAY_ITEMS_MAX = 4096
FRAME_MAP_FIELDS_MAX = 256

DEPTH_LEVELS_MAX = 16
"""Maps and arrays inside each other, in both directions."""

HELLO_MS_MAX = 10_000
"""From the open connection to its Hello."""
HEARTBEAT_MS = 10_000
SILENCE_MS_MAX = 30_000
"""A client that heard nothing for so long takes the connection for dead."""
CROWD_MS = 1000
LOBBY_MS = 1000
RESYNC_MS_MIN = 5000
"""A client asks for a snapshot because of an unknown event at most this often."""

PLAYER_NAME_CHARS_MAX = 24
TABLE_NAME_CHARS_MAX = 40
MARKS_IN_A_ROW_MAX = 2
"""Combining marks on one letter of a name."""
ECHO_CHARS_MAX = 64
"""What a refusal's detail repeats of what it was sent."""

RECENT_RESULTS_MAX = 24
"""Results of past rounds that a view keeps."""
