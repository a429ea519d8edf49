//! A client of `tile-run --serve` (docs/serve.md) in Rust, with nothing but the standard library:
//!
//!     rustc -O serve.rs && ./serve bin/tile-run add.mlir
//!
//! It loads add.mlir, launches it interpreted and as compiled code, and then lets it write behind an array, which is an error that says where.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

const MAGIC: &[u8; 4] = b"TWS1";
const MAX_HEADER: usize = 16 << 20;

struct Engine {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    last: u64,
}

impl Engine {
    fn start(program: &str) -> io::Result<Engine> {
        let mut child = Command::new(program).arg("--serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut e = Engine { child, to, from, last: 0 };
        // With the number of this process the engine ends when it does, whoever else holds the pipes.
        let hello = format!(r#""op": "hello", "version": 1, "parent": {}"#, std::process::id());
        e.ask(&hello, &[])?;
        Ok(e)
    }

    /// Sends a request, and returns the header of its answer and what the payload holds. One request is under way at a time here; others may be.
    fn ask(&mut self, request: &str, payload: &[&[u8]]) -> io::Result<(Json, Vec<u8>)> {
        self.last += 1;
        let header = format!(r#"{{"id": {}, {request}}}"#, self.last);
        let bytes: usize = payload.iter().map(|p| p.len()).sum();
        let to = self.to.as_mut().unwrap();
        to.write_all(MAGIC)?;
        to.write_all(&(header.len() as u32).to_le_bytes())?;
        to.write_all(&(bytes as u64).to_le_bytes())?;
        to.write_all(header.as_bytes())?;
        for p in payload {
            to.write_all(p)?;
        }
        to.flush()?;
        loop {
            let (answer, data) = self.read()?;
            if answer.get("event").is_some() {
                io::stdout().write_all(&data)?; // what the kernel prints
                continue;
            }
            if let Some(fault) = answer.get("error") {
                return Err(io::Error::other(format!("{}: {}", fault.text("kind"), fault.text("message"))));
            }
            return Ok((answer, data));
        }
    }

    fn read(&mut self) -> io::Result<(Json, Vec<u8>)> {
        let mut head = [0u8; 16];
        self.from.read_exact(&mut head)?;
        let header = u32::from_le_bytes(head[4..8].try_into().unwrap()) as usize;
        let payload = u64::from_le_bytes(head[8..].try_into().unwrap()) as usize;
        if &head[..4] != MAGIC || header > MAX_HEADER {
            return Err(io::Error::other("no frame"));
        }
        let mut text = vec![0; header];
        self.from.read_exact(&mut text)?;
        let mut data = vec![0; payload];
        self.from.read_exact(&mut data)?;
        let json = Json::parse(&text).ok_or_else(|| io::Error::other("no JSON"))?;
        Ok((json, data))
    }

    fn load(&mut self, name: &str) -> io::Result<f64> {
        let (answer, _) = self.ask(&format!(r#""op": "load", "name": "{name}""#), &[&std::fs::read(name)?])?;
        answer.get("module").and_then(Json::number).ok_or_else(|| io::Error::other("no module"))
    }

    /// Launches an entry on arrays, whose memory is copied both ways: the pointers are those of this process.
    fn launch(&mut self, module: f64, entry: &str, grid: usize, engine: &str, arrays: &mut [&mut [f32]]) -> io::Result<()> {
        let args: Vec<String> = arrays.iter().map(|a| (a.as_ptr() as u64).to_string()).collect();
        let segments: Vec<String> = arrays.iter().map(|a| format!(r#"{{"address": {}, "bytes": {}}}"#, a.as_ptr() as u64, size_of_val(*a))).collect();
        let bytes: Vec<Vec<u8>> = arrays.iter().map(|a| a.iter().flat_map(|x| x.to_le_bytes()).collect()).collect();
        let request = format!(
            r#""op": "launch", "module": {module}, "entry": "{entry}", "grid": [{grid}, 1, 1], "engine": "{engine}", "gpu": "sm_90", "args": [{}], "segments": [{}]"#,
            args.join(", "),
            segments.join(", ")
        );
        let payload: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        let (answer, data) = self.ask(&request, &payload)?;
        let mut words = data.chunks_exact(4);
        for i in answer.get("written").map(Json::numbers).unwrap_or_default() {
            for x in arrays[i as usize].iter_mut() {
                *x = f32::from_le_bytes(words.next().ok_or_else(|| io::Error::other("too few bytes"))?.try_into().unwrap());
            }
        }
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.to = None; // the engine ends with its input
        let _ = self.child.wait();
    }
}

enum Json {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    fn parse(text: &[u8]) -> Option<Json> {
        let (value, rest) = Json::value(text)?;
        rest.trim_ascii().is_empty().then_some(value)
    }

    fn value(text: &[u8]) -> Option<(Json, &[u8])> {
        let text = text.trim_ascii_start();
        match *text.first()? {
            b'{' | b'[' => Json::group(text),
            b'"' => Json::string(text).map(|(s, rest)| (Json::Text(s), rest)),
            b't' => Some((Json::Bool, text.strip_prefix(b"true")?)),
            b'f' => Some((Json::Bool, text.strip_prefix(b"false")?)),
            b'n' => Some((Json::Null, text.strip_prefix(b"null")?)),
            _ => {
                let n = text.iter().position(|c| !b"+-.eE0123456789".contains(c)).unwrap_or(text.len());
                Some((Json::Number(std::str::from_utf8(&text[..n]).ok()?.parse().ok()?), &text[n..]))
            }
        }
    }

    fn group(text: &[u8]) -> Option<(Json, &[u8])> {
        let object = text[0] == b'{';
        let (mut map, mut list) = (BTreeMap::new(), Vec::new());
        let mut rest = text[1..].trim_ascii_start();
        while !matches!(*rest.first()?, b'}' | b']') {
            let mut key = String::new();
            if object {
                (key, rest) = Json::string(rest)?;
                rest = rest.trim_ascii_start().strip_prefix(b":")?;
            }
            let value;
            (value, rest) = Json::value(rest)?;
            if object {
                map.insert(key, value);
            } else {
                list.push(value);
            }
            rest = rest.trim_ascii_start();
            rest = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
        }
        Some((if object { Json::Object(map) } else { Json::List(list) }, &rest[1..]))
    }

    fn string(text: &[u8]) -> Option<(String, &[u8])> {
        let (mut out, mut i) = (Vec::new(), 1);
        loop {
            match *text.get(i)? {
                b'"' => return Some((String::from_utf8(out).ok()?, &text[i + 1..])),
                b'\\' => {
                    i += 1;
                    match *text.get(i)? {
                        b'n' => out.push(b'\n'),
                        b't' => out.push(b'\t'),
                        b'u' => {
                            let code = u32::from_str_radix(std::str::from_utf8(text.get(i + 1..i + 5)?).ok()?, 16).ok()?;
                            out.extend(char::from_u32(code).unwrap_or('\u{fffd}').to_string().bytes());
                            i += 4;
                        }
                        c => out.push(c),
                    }
                }
                c => out.push(c),
            }
            i += 1;
        }
    }

    fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(map) => map.get(key),
            _ => None,
        }
    }

    fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Json::Text(s)) => s,
            _ => "",
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Json::Number(x) => Some(*x),
            _ => None,
        }
    }

    fn numbers(&self) -> Vec<f64> {
        match self {
            Json::List(list) => list.iter().filter_map(Json::number).collect(),
            _ => Vec::new(),
        }
    }
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, program, module] = &args[..] else {
        return Err(io::Error::other("usage: serve TILE-RUN MODULE"));
    };
    let mut engine = Engine::start(program)?;
    let add = engine.load(module)?;
    let mut x: Vec<f32> = (0..1024).map(|i| i as f32).collect();
    let mut y: Vec<f32> = x.iter().map(|x| 0.5 * x).collect();
    for name in ["interp", "ptx"] {
        let mut z = vec![0.0; x.len()];
        engine.launch(add, "add", 8, name, &mut [&mut x, &mut y, &mut z])?;
        assert!(z.iter().zip(&x).all(|(z, x)| *z == 1.5 * x), "{name}: wrong results");
        let start = Instant::now();
        for _ in 0..100 {
            engine.launch(add, "add", 8, name, &mut [&mut x, &mut y, &mut z])?;
        }
        println!("{name}: 1024 sums are right; {:.2} ms a launch", start.elapsed().as_secs_f64() * 10.0);
    }
    let mut short = vec![0.0; 1000];
    match engine.launch(add, "add", 8, "interp", &mut [&mut x, &mut y, &mut short]) {
        Err(fault) => println!("as it should be: {fault}"),
        Ok(()) => panic!("a store behind an array went unnoticed"),
    }
    Ok(())
}
