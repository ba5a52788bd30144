"""A read and a write, in chunks of unknown size, with requests."""
import json
import sys

import requests

url = sys.argv[1]
session = requests.Session()
read = session.get(url + "/read").json()
write = session.post(url + "/write", data=iter([b"from ", b"requests"])).json()
print(json.dumps({"read": read, "write": write}))
