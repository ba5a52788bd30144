"""A read and a write with nothing but Python's own library."""
import json
import sys
import urllib.request

url = sys.argv[1]
with urllib.request.urlopen(url + "/read") as answer:
    read = json.load(answer)
request = urllib.request.Request(url + "/write", data=b"from urllib", method="PUT")
with urllib.request.urlopen(request) as answer:
    write = json.load(answer)
print(json.dumps({"read": read, "write": write}))
