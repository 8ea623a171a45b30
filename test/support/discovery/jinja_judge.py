"""What Home Assistant's own Jinja2 makes of templates: the judge of the template interpreter.

VENV/bin/python jinja-judge.py < CASES > ANSWERS

VENV has the package homeassistant (2025.4.4). A line of CASES is {"t": template, "p": [payload, …]} for value templates or
{"t": template, "v": [value, …]} for command templates; a line of ANSWERS is a list, with an entry for each payload or value:
the text, or {"e": "template"} for an error of Jinja2, {"e": "python"} for any other, {"e": "syntax"} for a template that is
refused.
"""
import json
import logging
import sys

import jinja2
from homeassistant.helpers import template as helpers
from homeassistant.util import dt as dt_util
from homeassistant.util.json import JSON_DECODE_EXCEPTIONS, json_loads

logging.disable(logging.CRITICAL)
environment = helpers.TemplateEnvironment(None)


def compiled(source):
    if not helpers.is_template_string(source):
        return None
    return environment.from_string(source)


def answer(template, source, variables):
    if template is None:
        return source
    try:
        return template.render(**variables).strip()
    except jinja2.TemplateError:
        return {"e": "template"}
    except Exception:
        return {"e": "python"}


def main():
    for line in sys.stdin:
        case = json.loads(line)
        source = case["t"].strip()
        inputs = case.get("p", case.get("v"))
        try:
            template = compiled(source)
        except Exception:
            print(json.dumps([{"e": "syntax"}] * len(inputs)))
            continue
        answers = []
        for given in inputs:
            variables = {"value": given}
            if "p" in case:
                try:
                    variables["value_json"] = json_loads(given)
                except JSON_DECODE_EXCEPTIONS:
                    pass
            answers.append(answer(template, source, variables))
        print(json.dumps(answers))


dt_util.set_default_time_zone(dt_util.get_time_zone("Europe/Berlin"))
main()
