"""Many concepts on one matrix: which of them are linearly decodable?"""
