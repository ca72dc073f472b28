"""``make deploy-check``: the files of ``docs/deploy`` tried out with servers of this machine's own.

Takes PostgreSQL, Redis, RabbitMQ and nginx as the distribution packs them, starts each on loopback in a folder that is
thrown away, fills in the example configuration, starts the application's parts with the very commands of the units, and
looks at it from outside as a browser would. What a missing program keeps from being checked is named, and the command
ends with 1: only a run that checked everything ends with 0.

Where the kernel lets it, all of that happens in an enclosure with a network of its own (``namespaces``), and two more
forms are tried with the data of the first: the same machine under systemd, by the page's own lines (``machine``), and
an installation on several hosts (``several``).

One module a concern: ``report`` (what held and what did not), ``programs`` (what the machine has), ``processes``,
``stage`` (an installation and the files of ``docs/deploy`` filled in for it), ``servers``, ``browser`` and ``uploads``
(what a person does), ``checks`` (one machine).
"""
