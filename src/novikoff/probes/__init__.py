"""Many concepts on one X: is each linearly decodable, and does it mean anything?"""
