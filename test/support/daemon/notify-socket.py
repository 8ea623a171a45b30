"""Starts a program as systemd would, with one end of a datagram socket as descriptor 3, and prints as JSON lines its
process id, each message with the seconds of CLOCK_MONOTONIC at which it came, and the exit status."""

import json, os, signal, socket, sys, time


def tell(**line):
    print(json.dumps(line), flush=True)


ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
pid = os.fork()
if pid == 0:
    os.dup2(2, 1)
    os.dup2(theirs.fileno(), 3)
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="notify")
    if "WATCHDOG_USEC" in os.environ:
        os.environ["WATCHDOG_PID"] = str(os.getpid())
    os.execvp(sys.argv[1], sys.argv[1:])
theirs.close()
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGKILL))
tell(pid=pid)
ours.settimeout(0.2)
ended = 0
while not ended:
    try:
        message = ours.recv(4096).decode()
        tell(message=dict(line.split("=", 1) for line in message.split("\n")), at=time.monotonic())
    except (TimeoutError, socket.timeout):
        pass
    ended, status = os.waitpid(pid, os.WNOHANG)
tell(ended=os.waitstatus_to_exitcode(status))
