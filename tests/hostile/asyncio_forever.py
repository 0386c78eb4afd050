# expects: timed_out: still running after
# Its event loop never ends.
import asyncio


async def wait():
    while True:
        await asyncio.sleep(0)


asyncio.run(wait())
