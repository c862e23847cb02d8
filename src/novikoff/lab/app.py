"""The web application: the guard, the API (one address a question), and the files of the page."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

import novikoff
from novikoff.lab import limits
from novikoff.lab.guard import Address, Guard
from novikoff.lab.messages import answers, requests
from novikoff.lab.messages.presets import DEFAULT_MARGIN, PresetName, about_lab
from novikoff.lab.workers import BusyError, GoneError, Pool, TooSlowError, Workers

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": answers.Refusal, "description": why}
    for status, why in {
        400: "The request cannot be read",
        401: "The token is missing",
        403: "A page of another origin asks",
        413: "The body is too long",
        415: "The body is not JSON",
        421: "The Host is not this server's",
        422: "The question is outside of the limits, or has no answer",
        503: "Too many questions at once",
        504: "It took too long and was stopped",
    }.items()
}

api = APIRouter(prefix="/api", responses=REFUSALS)


def refusal(status: int, sentence: str) -> Response:
    """A refusal as the API writes it."""
    text = answers.Refusal(error=sentence).model_dump_json()
    return Response(text, status, media_type="application/json")


def is_small(pool: Pool, body: bytes, *asked: Any) -> bool:
    """Whether a question is soon answered, by its size alone: it must not wait for larger ones."""
    numbers = work = 0
    for question in asked:
        if isinstance(question, BaseModel) and hasattr(question, "points"):
            rows = len(question.points.X)
            numbers = rows * len(question.points.names)
            if isinstance(question, requests.RunRequest):
                looks = rows if question.options.order == "worst" else 1  # it chooses among all
                work = looks * numbers * question.options.max_iter
    return (
        len(body) <= limits.SMALL_BYTES
        and work <= limits.SMALL_RUN
        and (pool == "quick" or numbers <= limits.SMALL_BEYOND)
    )


LARGER: dict[Pool, Pool] = {"quick": "large", "slow": "slowest"}


async def told(request: Request, pool: Pool, name: str, *asked: Any) -> Response:
    """The answer of a worker as a response; it is JSON text already."""
    if not is_small(pool, await request.body(), *asked):
        pool = LARGER[pool]
    try:
        status, text = await request.app.state.workers.ask(
            pool, name, *asked, gone=request.is_disconnected
        )
    except TooSlowError as slow:
        return refusal(504, f"this took longer than {slow} seconds and was stopped.")
    except BusyError:
        return refusal(503, "too many questions at once: try again in a moment.")
    except GoneError:
        return refusal(503, "this was stopped before it was done.")
    except Exception as error:
        logging.getLogger("novikoff").exception("the lab could not answer %s", name)
        return refusal(500, f"unexpected {type(error).__name__}: this is a mistake in novikoff.")
    return Response(text, status, media_type="application/json")


@api.get("/about", response_model=answers.About)
async def about(request: Request) -> answers.About:
    """What this lab can do, its limits, and the token that a link to it needs."""
    return about_lab(request.app.state.token)


@api.get("/presets/{name}", response_model=answers.PointsAnswer)
async def preset(
    request: Request,
    name: PresetName,
    margin: Annotated[float, Query(gt=0.001, le=10, allow_inf_nan=False)] = DEFAULT_MARGIN,
) -> Response:
    """The points of a preset; `margin` is for the one that has a margin to choose."""
    return await told(request, "quick", "preset", name.value, margin)


@api.post("/columns", response_model=answers.Columns)
async def columns(request: Request, file: requests.CsvFile) -> Response:
    """The columns of a CSV file."""
    return await told(request, "quick", "columns", file)


@api.post("/points", response_model=answers.PointsAnswer)
async def points(request: Request, chosen: requests.ChooseColumns) -> Response:
    """The points that chosen columns of a CSV file hold."""
    return await told(request, "quick", "points", chosen)


@api.post("/verdict", response_model=answers.VerdictAnswer)
async def verdict(request: Request, asked: requests.VerdictRequest) -> Response:
    """Separable, touching or overlapping, with the proof in words and as shapes."""
    return await told(request, "quick", "verdict", asked)


@api.post("/certificate", response_model=answers.CertificateAnswer)
async def certificate(request: Request, asked: requests.VerdictRequest) -> Response:
    """The certificate of the verdict, as a file to keep."""
    return await told(request, "quick", "certificate", asked)


@api.post("/verify", response_model=answers.VerifyAnswer)
async def verify(request: Request, asked: requests.VerifyRequest) -> Response:
    """Whether a certificate proves what it says about these points."""
    return await told(request, "quick", "verify", asked)


@api.post("/run", response_model=answers.RunAnswer)
async def run(request: Request, asked: requests.RunRequest) -> Response:
    """A run of the perceptron as a whole: its end, its charts, its cycle."""
    return await told(request, "quick", "run", asked)


@api.post("/steps", response_model=answers.Steps)
async def steps(request: Request, asked: requests.StepsRequest) -> Response:
    """Some steps of that run, one mistake each."""
    return await told(request, "quick", "steps", asked)


@api.post("/compare", response_model=answers.Comparison)
async def compare(request: Request, asked: requests.CompareRequest) -> Response:
    """The pocket and the average beside the plain run."""
    return await told(request, "slow", "compare", asked)


@api.post("/regions", response_model=answers.Regions)
async def regions(request: Request, asked: requests.RegionsRequest) -> Response:
    """A kernel perceptron as regions of the plane."""
    return await told(request, "slow", "regions", asked)


@api.post("/lift", response_model=answers.LiftAnswer)
async def lift(request: Request, asked: requests.LiftRequest) -> Response:
    """The smallest lift after which a hyperplane separates."""
    return await told(request, "slow", "lift", asked)


@api.post("/space", response_model=answers.SpaceAnswer)
async def space(request: Request, asked: requests.SpaceRequest) -> Response:
    """The lift (x₁, x₂, x₁x₂) in three dimensions, with its plane."""
    return await told(request, "quick", "space", asked)


@api.post("/network", response_model=answers.NetworkAnswer)
async def network(request: Request, asked: requests.NetworkRequest) -> Response:
    """A small ReLU network, with the table of its activations."""
    return await told(request, "slow", "network", asked)


@api.post("/fewest", response_model=answers.FewestErrorsAnswer)
async def fewest(request: Request, asked: requests.FewestErrorsRequest) -> Response:
    """The fewest errors of any hyperplane, and the conflicts that forbid fewer."""
    return await told(request, "slow", "fewest", asked)


KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
MOST_COMPLAINTS = 3


def make_app(address: Address) -> Guard:
    """The application for a server at this address; the workers live as long as it runs."""
    app = FastAPI(
        title="novikoff lab",
        description="What the page of `novikoff lab` asks. All of it is computed by the package.",
        version=novikoff.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.token = address.token
    app.include_router(api)
    app.add_exception_handler(RequestValidationError, _outside_limits)
    app.add_exception_handler(HTTPException, _no_such_thing)
    _serve_page(app)
    return Guard(app, address)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.workers = Workers()
    try:
        yield
    finally:
        app.state.workers.stop()


async def _outside_limits(_request: Request, error: Exception) -> Response:
    """What is wrong with a question, in a sentence that names the field."""
    assert isinstance(error, RequestValidationError)
    complaints = []
    for found in error.errors()[:MOST_COMPLAINTS]:
        where = ".".join(str(part) for part in found["loc"] if part != "body")
        complaints.append(f"{where or 'the body'}: {found['msg']}")
    more = len(error.errors()) - MOST_COMPLAINTS
    return refusal(422, "; ".join(complaints) + (f"; and {more} more" if more > 0 else "") + ".")


async def _no_such_thing(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = refusal(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


def _serve_page(app: FastAPI) -> None:
    """Give each file of the page an address of its own: nothing is looked up by a request."""
    for file in resources.files("novikoff.lab").joinpath("page").iterdir():
        kind = KINDS.get(file.name.rpartition(".")[2])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/{file.name}"
            app.add_api_route(path, _giver(file.read_bytes(), kind), include_in_schema=False)


def _giver(content: bytes, kind: str):  # type: ignore[no-untyped-def]
    async def give() -> Response:
        return Response(content, media_type=kind)

    return give
