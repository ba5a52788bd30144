/** What people's agents do all day, by what it is: without a jail nearly none of it asks. */
const BY_KIND: Readonly<Record<string, string>> = {
  'looking around': `
ls
ls -la
ls -la src tests
ls -R src
pwd
cat package.json
cat src/app.ts
cat src/app.ts tests/app.test.ts
head -50 src/app.ts
tail -n 20 README.md
tail -f server.log
wc -l src/app.ts
wc -l src/*.ts
file logo.png
stat src/app.ts
du -sh .
df -h
tree -L 2
tree src
find . -name "*.ts"
find . -type f -newer package.json
find src -name "*.test.ts" -not -path "*/node_modules/*"
find . -maxdepth 2 -type d
grep -rn TODO src
grep -r "useState" --include=*.tsx src
grep -c foo src/app.ts
grep -v '^#' config.ini | head
rg useSession
rg -n "redirect" src
rg --files src
rg -t ts foo
diff a.txt b.txt
diff -r src old
cmp a b
sort names.txt | uniq -c
sort -u names.txt
cut -d, -f1 data.csv
awk '{print $1}' data.txt
awk -F, '{print $2}' data.csv
sed -n 1,20p src/app.ts
sed -n '/start/,/end/p' src/app.ts
jq .version package.json
jq '.scripts | keys' package.json
echo hello
echo "$PATH"
printf '%s\\n' a b
date
whoami
id
uname -a
which node
which python3 git
type node
ps aux
ps aux | grep node
printenv NODE_ENV
basename src/app.ts
dirname src/app.ts
realpath src
md5sum package-lock.json
sha256sum dist.tgz
base64 logo.png
xxd logo.png | head
test -f package.json && echo yes
[ -d node_modules ] || echo missing
true
sleep 1
seq 1 10
nproc
uptime
free -m
column -t data.txt
nl src/app.ts
tr a-z A-Z < names.txt
comm -12 a.txt b.txt
strings bin/tool | head`,
  'reading elsewhere on the machine': `
cat /etc/hosts
cat /etc/os-release
ls /usr/lib
ls ~
ls -la ~/projects
cat ~/projects/other/README.md
grep -rn foo /usr/include/stdio.h
head -3 /var/log/dpkg.log
cat /proc/cpuinfo
cat /proc/meminfo | head -3
cat ~/.bashrc
cat ~/.gitconfig
cat ../other/package.json
cd ../other && cat package.json
find /usr/share/doc -name "*.md"
diff ../other/a.ts src/a.ts
cp ../other/tsconfig.json .
cp /usr/share/dict/words data/
wc -l < /etc/passwd
stat /tmp
ls -la /usr/local/bin
test -e ~/.config/nvim/init.lua`,
  'changing files of the workspace': `
mkdir -p src/lib
mkdir build
touch src/new.ts
cp src/a.ts src/b.ts
cp -r templates/app src/app2
mv src/a.ts src/c.ts
mv old.md docs/
rm src/old.ts
rm -f out.log
rm a.txt b.txt
rmdir empty
ln -s src/a.ts link.ts
chmod +x scripts/run.sh
chmod 644 README.md
echo "x" > out.txt
echo "x" >> notes.md
cat > notes.md <<'EOF'\\nhello\\nEOF
cat <<'EOF' >> .gitignore\\ndist\\nEOF
printf 'a\\n' > a.txt
ls > files.txt
grep -rn TODO src > todo.txt
sort names.txt > sorted.txt
sort -o sorted.txt names.txt
echo x | tee out.log
npm test 2>&1 | tee test.log
tar czf src.tgz src
tar xzf vendor.tgz
gzip -k data.csv
gunzip data.csv.gz
unzip assets.zip
split -l 100 data.csv
mktemp
diff a b > changes.diff`,
  'what is rebuilt, and scratch space': `
rm -rf node_modules
rm -rf node_modules package-lock.json.bak dist
rm -rf dist
rm -rf dist build
rm -rf ./dist
rm -rf target/debug
rm -rf .next
rm -rf .venv
rm -rf build/
rm -rf coverage .nyc_output
rm -rf src/__pycache__
rm -rf .pytest_cache .mypy_cache
rm -rf node_modules/.cache
rm -rf packages/web/node_modules
mkdir -p /tmp/work
echo x > /tmp/out.txt
cp src/a.ts /tmp/a.ts
cat /tmp/out.txt
ls /tmp/work
rm -rf /tmp/work
rm /tmp/out.txt
cd /tmp/work && ls
tar czf /tmp/src.tgz src
diff src/a.ts /tmp/a.ts
mktemp -d`,
  'git, here': `
git status
git status --short
git log --oneline -15
git log -p -3 src/app.ts
git diff
git diff HEAD~1
git diff --stat main
git diff --cached
git show HEAD
git show HEAD:src/app.ts
git blame src/app.ts
git branch
git branch -a
git branch --show-current
git branch feature
git branch -d merged
git checkout -b feature
git checkout main
git checkout feature/login
git switch main
git switch -c feature2
git add -A
git add src/app.ts
git add .
git commit -m "Fix the login"
git commit -am "Fix the login"
git commit --amend --no-edit
git stash
git stash list
git stash pop
git stash push -m wip
git restore --staged src/app.ts
git reset HEAD src/app.ts
git reset --soft HEAD~1
git merge main
git rebase main
git rebase --continue
git rebase --abort
git cherry-pick abc1234
git revert HEAD
git tag v1.0
git tag -l
git remote -v
git rev-parse HEAD
git ls-files
git grep foo
git config --get user.name
git describe --tags
git shortlog -sn
git reflog
git worktree list
git bisect start
git clean -n
git mv a.ts b.ts
git rm --cached secret.txt
git apply fix.patch
git fetch origin
cd src && git status
git -C src log -1`,
  'building, testing, checking': `
npm test
npm run build
npm run lint
npm run dev &
npm ci
npm install
npm ls --depth=0
npm outdated
npx tsc --noEmit
npx vitest run tests/app.test.ts
npx eslint src
npx prettier --check .
npx prettier --write src
npx jest
node scripts/build.js
node --test
node --version
pnpm test
pnpm install
yarn build
python3 manage.py test
python3 scripts/load.py data.csv
python3 -m pytest
python3 -m pytest tests/test_app.py -k login
python3 --version
pytest -q
pytest tests/test_*.py
ruff check .
ruff format .
mypy src
uv sync
uv run pytest
pip list
poetry install
poetry run pytest
cargo build
cargo test
cargo clippy
cargo fmt
cargo check --all-targets
cargo run -- --help
RUST_LOG=debug cargo test
RUST_BACKTRACE=1 cargo test
go build ./...
go test ./...
go test -run TestX ./internal/kube
go vet ./...
gofmt -l .
go mod tidy
CGO_ENABLED=0 go build ./cmd/app
make
make test
make -j4
make -j$(nproc)
cmake -B build
cmake --build build
mvn test
mvn -q package
gradle test
./gradlew test
./gradlew build
./mvnw test
./scripts/test.sh
./bin/tool --version
./build/app --help
bash scripts/setup.sh
sh scripts/lint.sh
node_modules/.bin/tsc --noEmit
node_modules/.bin/eslint src
npm test 2>&1 | tail -40
npm run build && npm test
cd web && npm test
time npm test
timeout 60 npm test
NODE_ENV=test npm test
CI=1 npm test
kill %1
kill $!
jobs
wait`,
};

export const HARMLESS: readonly (readonly [line: string, why: string])[] = Object.entries(BY_KIND).flatMap(
  ([why, lines]) =>
    lines
      .trim()
      .split('\n')
      .map((line) => [line.replaceAll('\\n', '\n'), why] as const),
);
