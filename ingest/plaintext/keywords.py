"""Headings that need no number: 摘要, 引言, 结论, Abstract, Methods, References ... Pure."""

import re
import unicodedata

_ENGLISH = """
abstract; executive summary; summary; synopsis; overview; introduction; background; motivation; related work; previous work;
literature review; problem statement; preliminaries; theory; method; methods; methodology; materials and methods;
methods and materials; data; data and methods; approach; model; experiment; experiments; experimental setup; experimental results;
evaluation; implementation; results; findings; analysis; results and discussion; discussion; discussion and conclusion;
discussion and conclusions; limitations; conclusion; conclusions; concluding remarks; conclusion and future work;
conclusions and future work; future work; recommendations; acknowledgement; acknowledgements; acknowledgment; acknowledgments;
references; bibliography; works cited; notes; endnotes; appendix; appendices; supplementary material; preface; foreword; prologue;
epilogue; afterword; postscript; dedication; glossary; index; colophon; about the author; about the authors; conflicts of interest;
conflict of interest; funding; author contributions; data availability; scope; purpose; definitions; prerequisites; installation;
usage; license; exercises; further reading; author's address; authors' addresses; résumé;
einleitung; zusammenfassung; literaturverzeichnis; conclusiones; referencias
"""
_CHINESE = """
摘要; 中文摘要; 英文摘要; 概述; 概要; 概览; 引言; 引论; 绪论; 緒論; 导言; 導言; 导论; 導論; 前言; 序; 序言; 序章; 自序; 代序; 译序;
译者序; 总序; 背景; 研究背景; 研究意义; 问题描述; 相关工作; 文献综述; 国内外研究现状; 理论基础; 方法; 研究方法; 材料与方法; 材料和方法;
资料与方法; 实验方法; 模型; 数据; 数据来源; 实验; 实验设计; 实验设置; 实验结果; 实验结果与分析; 结果; 研究结果; 结果与讨论; 结果和讨论;
结果与分析; 分析; 讨论; 局限性; 结论; 结论与展望; 总结; 总结与展望; 小结; 本章小结; 结语; 结束语; 展望; 建议; 致谢; 谢辞; 鸣谢;
参考文献; 注释; 附录; 附件; 后记; 跋; 楔子; 引子; 尾声; 终章; 番外; 索引; 术语表; 作者简介; 译后记; 范围; 目的; 定义; 习题; 思考题;
练习; 練習; 參考文獻; 結論; 討論; 結果; 誌謝; はじめに; おわりに; まとめ
"""


def _entries(text: str) -> frozenset[str]:
    return frozenset(entry for entry in (word.strip() for word in text.replace("\n", " ").split(";")) if entry)


KEYWORDS = _entries(_ENGLISH) | _entries(_CHINESE)
CONTENTS = frozenset(
    {
        "contents",
        "table of contents",
        "list of figures",
        "list of tables",
        "目录",
        "目錄",
        "目次",
        "inhaltsverzeichnis",
        "índice",
        "sommaire",
    }
)
_SPACED = re.compile(r"(?<=^.)\s+(?=.$)|(?<=\b\w)\s(?=\w\b)")
_EDGES = re.compile(r"^[\s【\[「〔*_=~-]+|[\s】\]」〕:：.。*_=~-]+$")


def keyword_of(text: str) -> str | None:
    """The keyword that a whole line is, normalised ("A B S T R A C T:" and "摘 要" too); None for any other line."""
    if len(text) > 60:
        return None
    plain = _plain(text)
    return plain if plain in KEYWORDS else None


def is_contents(text: str) -> bool:
    """Whether a line is the heading of a printed table of contents."""
    return len(text) < 40 and _plain(text) in CONTENTS


def _plain(text: str) -> str:
    plain = _EDGES.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return _SPACED.sub("", plain)
