/** The type of the one message a worker sends the main thread over HarperDB's own ports: it hands over a port of ours. */
export const HELLO = 'harper-agent:hello';
