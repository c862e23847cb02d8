"""The lab: a page in the browser on which points, runs and proofs can be watched.

`limits` and `messages` say what may be asked and what is answered; `engine` computes, in processes
that `workers` can stop; `guard` keeps strangers out; `routes` and `app` put them together, and
`server` runs it. The page in `page` draws what it is told and computes nothing.
"""
