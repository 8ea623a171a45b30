# Prints the destination of each TCP and UDP packet that comes in on the interface of argv[1], one a line.
import socket
import sys

sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
sniffer.bind((sys.argv[1], 0))
print("listening", flush=True)
while True:
    packet, (_, _, direction, _, _) = sniffer.recvfrom(65536)
    if direction == socket.PACKET_OUTGOING:
        continue
    if packet[0] >> 4 == 4 and packet[9] in (6, 17):
        print(socket.inet_ntop(socket.AF_INET, packet[16:20]), flush=True)
    elif packet[0] >> 4 == 6 and packet[6] in (6, 17):
        print(socket.inet_ntop(socket.AF_INET6, packet[24:40]), flush=True)
