"""What a connection, an account and a node may take: every bound of the gateway, with its unit last in the name."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_protocol import limits as wire


@dataclass(frozen=True, slots=True)
class GatewayLimits:
    """Defaults are for a node of a few thousand connections; tests make them small."""

    # --- opening a connection ---
    connections_max: int = 20_000
    """More are closed at once with `NODE_FULL`."""
    accept_queue_connections: int = 4_096
    """Connections that the kernel holds until they are accepted. With the usual 100, a thousand clients that all came back
    at once lost some of their first packets, and waited seconds for their own time-outs."""
    open_s_max: float = 5.0
    """From the TCP connection to the upgrade, or to the answered GET."""
    hello_s_max: float = wire.HELLO_MS_MAX / 1000
    """From the upgrade to a Hello that was accepted."""
    close_s_max: float = 2.0
    """From a close frame of ours to the end of the TCP connection, by force if need be."""

    # --- what comes in ---
    frame_slack_bytes: int = 1024
    """A frame that is a little bigger than a command may be gets a close code of ours; a bigger one is not read."""
    inbound_frames_max: int = 8
    """Commands that wait for the one in work; after that the connection is not read any more."""
    inbound_bytes_per_s_max: int = 64 * 1024
    """Averaged over a heartbeat. Counts what no command bucket sees: control frames."""
    commands_per_s: float = 15.0
    commands_burst: int = 40
    """Of one connection."""
    account_commands_per_s: float = 30.0
    account_commands_burst: int = 80
    """Of all connections of one player on this node."""
    refusals_per_s: float = 4.0
    refusals_burst: int = 60
    """Answers of `rate_limited`, above which it is a flood and the connection is closed."""
    tables_per_connection_max: int = 16
    unavailable_retry_ms: int = 500
    internal_retry_ms: int = 1000

    # --- what goes out ---
    send_buffer_bytes: int = 16 * 1024
    """Of the kernel (`SO_SNDBUF`): without it, 3.9 MB go in before anyone notices that the client does not read."""
    write_high_bytes: int = 32 * 1024
    """In the transport: above it a connection is stuck, and gets no batches until it is below a quarter of this."""
    backlog_bytes_max: int = 32 * 1024
    """What a stuck connection may get on top: private frames and pongs. Beyond, it is cut off."""
    stuck_s_max: float = 10.0
    """Whoever is stuck for so long is cut off."""
    joined_bytes_max: int = 48 * 1024
    """What a connection missed, in one write; a snapshot in its place if it is more."""
    sweep_wait_s: float = 0.012
    """From an event to the sweep that tells spectators of it; players wait for nothing. Eight commands that come together are
    committed in less, and go out as one."""
    sweep_slice_lines: int = 100
    """Spectators that are written to before the loop may do something else."""
    sweep_slice_lines_busy: int = 20
    """The same while a command is under way: an answer takes several turns of the loop."""

    # --- by the clock ---
    tick_s: float = wire.CROWD_MS / 1000
    """Crowd and lobby frames at most once in this, and the look for stuck connections."""
    heartbeat_s: float = wire.HEARTBEAT_MS / 1000
    """Heartbeat frames and WebSocket pings."""
    silence_s_max: float = wire.SILENCE_MS_MAX / 1000
    """A peer from which nothing came for so long, not even a pong, is closed as `IDLE`."""

    # --- going ---
    drain_spread_s: float = 3.0
    """Over so long the connections are sent elsewhere, one after the other, so that they do not all come at once."""
    drain_s_max: float = 15.0
    """After that what is still connected is cut off."""
