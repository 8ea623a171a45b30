"""A meter of the SDM series behind Modbus TCP, by pymodbus. Prints its port; `power 1234.5` on stdin sets a value."""
import asyncio
import struct
import sys

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server.async_io import ModbusTcpServer

REGISTERS = {
    "voltage": 0x0000,
    "current": 0x0006,
    "power": 0x000C,
    "frequency": 0x0046,
    "energy": 0x0048,
    "energy_returned": 0x004A,
}
INPUT_REGISTERS = 4


async def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    slave = ModbusSlaveContext(ir=ModbusSequentialDataBlock(0, [0] * 0x100), zero_mode=True)
    context = ModbusServerContext(slaves={1: slave}, single=False)

    def put(word, value):
        slave.setValues(INPUT_REGISTERS, REGISTERS[word], list(struct.unpack(">HH", struct.pack(">f", value))))

    for word, value in {"voltage": 230.5, "current": 2.0, "power": 461.0, "frequency": 50.0, "energy": 1200.25}.items():
        put(word, value)
    server = ModbusTcpServer(context, address=("127.0.0.1", port), allow_reuse_address=True)
    serving = asyncio.create_task(server.serve_forever())
    while server.server is None:
        await asyncio.sleep(0.01)
    print(server.server.sockets[0].getsockname()[1], flush=True)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := (await lines.readline()).decode():
        word, value = line.split()
        put(word, float(value))
    serving.cancel()


asyncio.run(main())
