// Node with `ws`: its documented broadcast ("Server broadcast" in the README of ws), sending the frames of the log.
// "send N" on standard input sends the next N. The first line of standard output is the port.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import WebSocket, { WebSocketServer } from 'ws'

const log = readFileSync(process.argv[2])
const frames = []
for (let at = 0; at < log.length; at += 4 + log.readUInt32LE(at)) {
  frames.push(log.subarray(at + 4, at + 4 + log.readUInt32LE(at)))
}
let next = 0

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, backlog: 4096, perMessageDeflate: false })
server.on('listening', () => console.log(server.address().port))

function broadcast(data) {
  server.clients.forEach(function each(client) {
    if (client.readyState === WebSocket.OPEN) {
      client.send(data, { binary: true })
    }
  })
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  for (let count = Number(line.split(' ')[1]); count > 0; count--) broadcast(frames[next++])
})
lines.on('close', () => process.exit(0))
