// Opens a WebSocket, says that it is open, and stays until it is killed.
const socket = new WebSocket(process.argv[2]);
socket.onmessage = () => process.stdout.write('open\n');
socket.onopen = () => socket.send('"hello"');
